import { S3Client } from "bun";
import type { BackupShelf } from "../../domain/backup/ports.ts";
import { AppError } from "../../kernel/errors.ts";

export type Bucket = {
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Before every name; empty or with a slash at its end. */
  readonly prefix: string;
};

/** S3 takes 10,000 parts at most: these make 156 GiB. Two of them are in memory at once. */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 2;
const namesMax = 1000;

/** Backups in a bucket of an S3 service. Fails with internal, in the service's words. */
export function bucketShelf({ endpoint, region, prefix, ...rest }: Bucket): BackupShelf {
  const client = new S3Client({
    ...rest,
    ...(endpoint === null ? {} : { endpoint }),
    region: region ?? "us-east-1",
  });
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw aboutBucket(rest.bucket, error);
    }
  };

  return {
    put: (path, name) =>
      asked(upload(client, path, prefix + name).then(() => `s3://${rest.bucket}/${prefix}${name}`)),
    list: () => asked(listNames(client, prefix)),
    remove: (name) => asked(client.delete(prefix + name)),
  };
}

async function upload(client: S3Client, path: string, key: string): Promise<void> {
  const file = Bun.file(path);
  const writer = client
    .file(key)
    .writer({ partSize: partBytes, queueSize: partsAtOnce, retry: 3, type: "application/zstd" });
  for await (const chunk of file.stream()) {
    await writer.write(chunk);
    await writer.flush();
  }
  await writer.end();
  const { size } = await client.stat(key);
  if (size !== file.size) throw new Error(`it keeps ${size} bytes of ${file.size}`);
}

async function listNames(client: S3Client, prefix: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (;;) {
    const last = names.at(-1);
    const after = last === undefined ? {} : { startAfter: prefix + last };
    const { contents = [], isTruncated } = await client.list({ prefix, maxKeys: namesMax, ...after });
    names.push(...contents.map(({ key }) => key.slice(prefix.length)));
    if (isTruncated !== true || contents.length === 0) return names;
  }
}

function aboutBucket(bucket: string, error: unknown): AppError {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  const words = error instanceof Error ? error.message : String(error);
  return new AppError("internal", `the bucket ${bucket} does not take backups: ${words}${code}`, {
    cause: error,
  });
}
