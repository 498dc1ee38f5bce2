/*
 * Where a harness keeps its rows and files. `TEST_ENGINE=postgres` and `TEST_BLOBS=s3` let whole suites run
 * on these, when no test says otherwise.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestBucket } from "./bucket.ts";
import { readPostgres, readSqlite, type DatabaseReader } from "./database-reader.ts";
import { writeFreshDatabase } from "./fresh-database.ts";
import type { TestDatabase } from "./postgres.ts";

export type StorageChoice = {
  readonly database?: "sqlite" | "postgres";
  readonly files?: "files" | "s3";
};

/** How soon a change of another process shows, in milliseconds; on SQLite a test says how soon. */
export function shownWithinMs(onSqlite: number): number {
  return runsOnSqlite ? onSqlite : 1000;
}

export type OpenStorage = AsyncDisposable & {
  /** What the program has to be given to use it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly isSqlite: boolean;
  /** Called once the program has made the database. */
  readonly read: () => DatabaseReader;
  /** Texture files, those on their way included and those that wait for their deletion not. */
  readonly countFiles: () => Promise<number>;
};

const { TEST_ENGINE: engineOfRun = "sqlite", TEST_BLOBS: filesOfRun = "files" } = process.env;

export const runsOnSqlite = engineOfRun === "sqlite";

/** Whether a test of what SQLite alone has or is must be left out; the output of the run says so. */
export function isLeftOut(needs: "sqlite" | "files", reason: string): boolean {
  const found = needs === "sqlite" ? engineOfRun : filesOfRun;
  if (found !== needs) console.log(`left out on ${found}: ${reason}`);
  return found !== needs;
}

/** Prepares storage for the data folder: an empty one, or what the folder had when it was opened before. */
export async function openStorage(
  choice: StorageChoice,
  folder: { readonly path: string; readonly isOwn: boolean },
): Promise<OpenStorage> {
  await using opened = new AsyncDisposableStack();
  const kept = await remoteOf(folder.path, choice);
  // What a folder of the test's has goes on being there, as its files do.
  if (folder.isOwn) {
    opened.use(kept);
    opened.defer(() => void remotes.delete(folder.path));
  }
  const { database, bucket } = kept;
  const databaseFile = join(folder.path, "cloakroom.db");
  if (database === null && folder.isOwn) await writeFreshDatabase(databaseFile);
  const closing = opened.move();
  const read = () => (database === null ? readSqlite(databaseFile) : readPostgres(database.url));
  return {
    settings: {
      ...(database === null ? {} : { DATABASE_URL: database.url }),
      ...(bucket === null ? {} : bucketSettings(bucket)),
    },
    isSqlite: database === null,
    read,
    countFiles: () =>
      bucket === null ? countFilesIn(join(folder.path, "textures")) : countObjects(bucket, read),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

type Remote = AsyncDisposable & {
  readonly database: TestDatabase | null;
  readonly bucket: TestBucket | null;
};

async function openRemote({ database, files }: StorageChoice): Promise<Remote> {
  await using opened = new AsyncDisposableStack();
  const isPostgres = (database ?? engineOfRun) === "postgres";
  const isBucket = (files ?? filesOfRun) === "s3";
  const remote = {
    database: isPostgres ? opened.use(await lend()) : null,
    bucket: isBucket ? opened.use(await place()) : null,
  };
  const closing = opened.move();
  return { ...remote, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

// Loaded where they are used: most files of tests use neither.
const lend = async () => (await import("./lent-postgres.ts")).lentDatabase();
const place = async () => (await import("./bucket.ts")).testBucket();

/** By folder: one that is opened again has what it had. Of folders of tests until the run ends. */
const remotes = new Map<string, Promise<Remote>>();

function remoteOf(folder: string, choice: StorageChoice): Promise<Remote> {
  const remote = remotes.get(folder) ?? openRemote(choice);
  remotes.set(folder, remote);
  return remote;
}

function bucketSettings({ endpoint, region, accessKeyId, secretAccessKey, url }: TestBucket) {
  return {
    BLOBS: url,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** The label of the place is no texture. The folder is made for the first one. */
async function countFilesIn(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith(".png")).length;
}

/**
 * Objects of textures are named by digests; the marker is not. What waits for its deletion counts as deleted.
 */
async function countObjects({ client, prefix }: TestBucket, read: () => DatabaseReader): Promise<number> {
  const { contents = [] } = await client.list({ prefix: `${prefix}/` });
  using database = read();
  const dropped = JSON.stringify(database.everything()["dropped_files"] ?? []);
  const files = contents.map(({ key }) => key.slice(key.lastIndexOf("/") + 1));
  return files.filter((file) => /^[0-9a-f]{64}/.test(file) && !dropped.includes(`"${file}"`)).length;
}
