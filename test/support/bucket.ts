/*
 * Object storage for tests: one S3 server and bucket a run, a prefix for each test that asks.
 * `TEST_S3_ENDPOINT` names another server, with `TEST_S3_BUCKET`, `TEST_S3_REGION`, `TEST_S3_ACCESS_KEY_ID`
 * and `TEST_S3_SECRET_ACCESS_KEY`.
 */
import { S3Client } from "bun";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort, sharedServer, startKept } from "./run-servers.ts";
import { findVersitygwFault, versitygwProgram } from "./versitygw.ts";

const given = process.env["TEST_S3_ENDPOINT"];

/** Why no test can have a bucket here; null when each can. */
export const bucketMissing: string | null = findBucketFault();

/** The same as of now: the server may have been built meanwhile. */
export function findBucketFault(): string | null {
  return given === undefined ? findVersitygwFault() : null;
}

/** How a bucket is reached, as the settings `S3_…` have it. */
export type BucketAccess = {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
};

export type TestBucket = AsyncDisposable &
  BucketAccess & {
    /** What the names of all the test's objects begin with, without a slash at its end. */
    readonly prefix: string;
    /** As `BLOBS` takes it. */
    readonly url: string;
    /** The bucket read past the service; names begin with the prefix. */
    readonly client: S3Client;
  };

/** Gives the test a prefix of its own, whose objects go when it is disposed of. */
export async function testBucket(): Promise<TestBucket> {
  const access = given === undefined ? await ownServer() : givenServer(given);
  const prefix = `test-${crypto.randomUUID()}`;
  const client = new S3Client(access);
  return {
    ...access,
    prefix,
    url: `s3://${access.bucket}/${prefix}`,
    client,
    [Symbol.asyncDispose]: () => removeAll(client, `${prefix}/`),
  };
}

/** Deletes a test's objects. It has a few hundred at most. */
async function removeAll(client: S3Client, prefix: string): Promise<void> {
  for (let page = 0; page < 100; page++) {
    const { contents = [] } = await client.list({ prefix });
    if (contents.length === 0) return;
    await Promise.all(contents.map(({ key }) => client.delete(key)));
  }
  throw new Error(`${prefix} still has objects`);
}

function givenServer(endpoint: string): BucketAccess {
  const { TEST_S3_REGION, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY, TEST_S3_BUCKET } = process.env;
  return {
    endpoint,
    region: TEST_S3_REGION ?? "us-east-1",
    accessKeyId: TEST_S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? "",
    bucket: TEST_S3_BUCKET ?? "cloakroom-tests",
  };
}

async function ownServer(): Promise<BucketAccess> {
  if (bucketMissing !== null) throw new Error(bucketMissing);
  return sharedServer({ name: "bucket", start: (folder) => startBucketServer(folder) });
}

/**
 * Starts a server whose objects are files of the folder, with one bucket. Fails when the port was taken
 * meanwhile, five times.
 */
async function startBucketServer(folder: string): Promise<BucketAccess> {
  const bucket = "cloakroom-tests";
  const [objects, metadata] = [join(folder, "objects"), join(folder, "metadata")];
  await mkdir(join(objects, bucket), { recursive: true });
  await mkdir(metadata);
  const accessKeyId = "cloakroom";
  const secretAccessKey = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
  const tries = 5;
  for (let count = 1; ; count++) {
    const address = `127.0.0.1:${freePort()}`;
    const access = {
      endpoint: `http://${address}`,
      region: "us-east-1",
      accessKeyId,
      secretAccessKey,
      bucket,
    };
    try {
      await startKept({
        // Without metadata there would be no tags, and no conditions on them.
        command: [
          versitygwProgram,
          "--quiet",
          "--keep-alive",
          "--port",
          address,
          "posix",
          "--sidecar",
          metadata,
          objects,
        ],
        environment: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
        log: join(folder, "log"),
        signal: "SIGTERM",
        isReady: () => answers(access),
      });
      return access;
    } catch (error) {
      if (count === tries) throw error;
    }
  }
}

async function answers(access: BucketAccess): Promise<boolean> {
  try {
    await new S3Client(access).list();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Connection"))
      return false;
    throw error;
  }
}
