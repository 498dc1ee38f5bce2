/*
 * A community whose textures are in one place, as its nodes and commands see it through settings of their
 * own.
 */
import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Ports } from "../../src/boot/compose.ts";
import { loadConfig } from "../../src/boot/config.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { run, userCreation, type Outcome } from "../cli/run-program.ts";
import { testBucket, type TestBucket } from "../support/bucket.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { skinPng } from "../support/textures.ts";

type Settings = Readonly<Record<string, string>>;

/** A node that was let in. */
export type PlacedNode = {
  readonly services: Ports;
  /** Why it has to end; null while it may go on. */
  readonly reason: () => string | null;
  /** What it warned of. */
  readonly warnings: () => readonly string[];
};

export type PlaceWorld = AsyncDisposable & {
  readonly folder: string;
  readonly settings: Settings;
  readonly bucket: TestBucket | null;
  /** Runs a command with these settings beside the community's. */
  readonly go: (args: readonly string[], settings?: Settings) => Promise<Outcome>;
  /** Starts a node, which ends with the world. Fails as a server's start does. */
  readonly start: (settings?: Settings) => Promise<PlacedNode>;
  /** Why a node does not start; empty when it does. */
  readonly refusal: (settings?: Settings) => Promise<string>;
  /** Adds a skin by the command line. */
  readonly addSkin: (seed: number, settings?: Settings) => Promise<Outcome>;
};

export type PlaceChoice = {
  readonly database: "sqlite" | "postgres";
  readonly files: "folder" | "bucket";
};

/** Opens a community that has an account and no texture yet. */
export async function openPlaceWorld({ database, files }: PlaceChoice): Promise<PlaceWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-places-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const lent = database === "postgres" ? opened.use(await lentDatabase()) : null;
  const bucket = files === "bucket" ? opened.use(await testBucket()) : null;
  const settings: Settings = {
    DATA_DIR: join(folder, "data"),
    JWT_SECRET: "correct horse battery staple, twice",
    ...(lent !== null && { DATABASE_URL: lent.url }),
    ...(bucket !== null && settingsOf(bucket)),
  };
  const nodes = opened.use(new AsyncDisposableStack());
  const go: PlaceWorld["go"] = (args, more = {}) => run(args, { environment: { ...settings, ...more } });
  const start: PlaceWorld["start"] = async (more = {}) => {
    const node = await startNode({ ...settings, ...more });
    nodes.use(node.services);
    return node;
  };
  const world: Omit<PlaceWorld, keyof AsyncDisposable> = {
    folder,
    settings,
    bucket,
    go,
    start,
    refusal: (more = {}) =>
      startNode({ ...settings, ...more }).then(
        async ({ services }) => (await services[Symbol.asyncDispose](), ""),
        refusalText,
      ),
    addSkin: async (seed, more) => {
      const file = join(folder, `${seed}.png`);
      await Bun.write(file, skinPng(seed));
      return await go(["skin", "add", "--user", "Anna", "--file", file], more);
    },
  };
  const created = await go(userCreation("Anna", "correct horse 9"));
  if (created.code !== 0) throw new Error(created.error);
  const closing = opened.move();
  return { ...world, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** Settings that lead to a bucket's prefix. */
export function settingsOf(bucket: TestBucket): Settings {
  return {
    BLOBS: bucket.url,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
}

function refusalText(error: unknown): string {
  if (error instanceof AppError && error.kind === "conflict") return error.message;
  throw error;
}

let started = 0;

/** As `serve` does it, without listening. */
async function startNode(environment: Settings): Promise<PlacedNode> {
  const { config, digests } = await loadConfig({
    flags: {},
    environment,
    file: null,
    logsToTerminal: false,
    serving: false,
  });
  let reason: string | null = null;
  const lines: string[] = [];
  const services = await compose(
    config,
    {},
    {
      node: `node-${++started}`,
      log: createLogger({ level: "warn", format: "json", write: (line) => void lines.push(line) }),
      digests,
      onForeign: ({ message }) => void (reason = message),
      stopping: new AbortController().signal,
    },
  );
  return { services, reason: () => reason, warnings: () => lines };
}

/** Every object under the prefix. */
export async function objectsOf({ client, prefix }: TestBucket, below = ""): Promise<readonly string[]> {
  const { contents = [] } = await client.list({ prefix: `${prefix}/${below}` });
  return contents.map(({ key }) => key.slice(prefix.length + 1));
}

/** Every file below the folder; empty where nothing is. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * Makes another bucket of the same server, which Bun's client cannot: it signs requests for objects alone.
 */
export async function makeBucket({ endpoint, region, ...access }: TestBucket, name: string): Promise<void> {
  const at = new Date().toISOString().replaceAll(/[:-]|\.\d+/g, "");
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`;
  const query = new URLSearchParams({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${access.accessKeyId}/${scope}`,
    "X-Amz-Date": at,
    "X-Amz-Expires": "60",
    "X-Amz-SignedHeaders": "host",
  });
  const { host } = new URL(endpoint);
  const request = `PUT\n/${name}\n${query.toString()}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const text = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${new Bun.CryptoHasher("sha256").update(request).digest("hex")}`;
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${access.secretAccessKey}`);
  query.set("X-Amz-Signature", hmac(key, text).toString("hex"));
  const { ok, status } = await fetch(`${endpoint}/${name}?${query.toString()}`, { method: "PUT" });
  if (!ok) throw new Error(`no bucket could be made: ${status}`);
}

function hmac(key: string | Buffer, part: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", key).update(part).digest());
}

/** Makes of it what a release before leaves: neither the database nor the place has an id. */
export async function forgetPlace(world: PlaceWorld): Promise<void> {
  await forgetMark(world);
  const { bucket, folder } = world;
  if (bucket === null) await rm(join(folder, "data/textures/cloakroom-place.json"));
  else await bucket.client.delete(`${bucket.prefix}/cloakroom-place.json`);
}

export async function forgetMark({ settings, folder }: PlaceWorld): Promise<void> {
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === undefined) {
    using database = new Database(join(folder, "data/cloakroom.db"));
    database.run("DELETE FROM marks WHERE name = 'place'");
  } else {
    await using sql = new SQL(DATABASE_URL, { max: 1 });
    await sql`DELETE FROM marks WHERE name = 'place'`;
  }
}
