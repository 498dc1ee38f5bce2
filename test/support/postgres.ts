/*
 * PostgreSQL for tests: one server a run, a database of its own for each test that asks. `TEST_DATABASE_URL`
 * names another server, also of another engine, whose user may make databases. With `TEST_POSTGRES_FSYNC=on`
 * the server of a run waits for its disk and tidies up by itself, as in operation.
 */
import { SQL } from "bun";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeCluster, programMissing, startPostgres, superuserAddress } from "./postgres-program.ts";
import { freePort, runFolder, sharedServer } from "./run-servers.ts";

const given = process.env["TEST_DATABASE_URL"];
const waitsForDisk = process.env["TEST_POSTGRES_FSYNC"] === "on";

/** Why no test can have a PostgreSQL here; null when each can. */
export const postgresMissing: string | null = given === undefined ? programMissing : null;

export type TestDatabase = AsyncDisposable & {
  readonly name: string;
  /** Its address with user and password, as `DATABASE_URL` takes it. */
  readonly url: string;
};

/** What fills a new database. */
export type DatabaseModel = {
  /** Other contents have another name: `cloakroom_` and a hash of all that fills it. */
  readonly name: string;
  readonly fill: (url: string) => Promise<void>;
};

/** Makes an empty database, which goes when it is disposed of. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const server = await postgresServer();
  const name = randomName("test");
  await asSuperuser(server, (sql) => sql.unsafe(`CREATE DATABASE ${name}`));
  return testDatabase(server, name);
}

/**
 * Makes a database with the contents of the model, which goes when it is disposed of. The model is filled
 * once for each server; every database is a copy of it.
 */
export async function databaseLike(model: DatabaseModel): Promise<TestDatabase> {
  const server = await postgresServer();
  const name = randomName("test");
  await asSuperuser(server, async (sql) => {
    if (await knowsTemplates(sql)) {
      await ensureModel(server, sql, model);
      await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${model.name}`);
    } else {
      await sql.unsafe(`CREATE DATABASE ${name}`);
      await model.fill(addressOf(server, name));
    }
  });
  return testDatabase(server, name);
}

/** Returns the address of the run's server, with the database that is always there. */
export async function postgresServer(): Promise<URL> {
  if (given !== undefined) return new URL(given);
  if (postgresMissing !== null) throw new Error(postgresMissing);
  return new URL(await sharedServer({ name: "postgres", start: startServer }));
}

/** What the run's server logs; null where it is another one's. */
export async function postgresLog(): Promise<string | null> {
  if (given !== undefined) return null;
  await postgresServer();
  return readFile(join(runFolder(), "postgres", "log"), "utf8");
}

async function startServer(folder: string): Promise<string> {
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
  const data = join(folder, "data");
  await makeCluster(data, password);
  const log = join(folder, "log");
  const tries = 5;
  for (let count = 1; ; count++) {
    const port = freePort();
    const url = superuserAddress(port, password);
    try {
      await startPostgres({ data, log, url, settings: waitsForDisk ? {} : hasty });
      return url;
    } catch (error) {
      if (count === tries) throw error;
    }
  }
}

/** Nothing here outlives a crash of the machine, and nothing waits for its disk. */
const hasty = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "1h",
  max_wal_size: "2GB",
  autovacuum: "off",
};

export async function asSuperuser<Result>(server: URL, work: (sql: SQL) => Promise<Result>): Promise<Result> {
  await using sql = new SQL({ url: server.href, max: 1, connectionTimeout: 30 });
  return await work(sql);
}

/** CockroachDB and YugabyteDB copy no database. */
async function knowsTemplates(sql: SQL): Promise<boolean> {
  const [{ version }] = await sql`SELECT version()`;
  return !/cockroach|-yb-/i.test(version);
}

/** Makes the model's database, unless it is there: it gets its name when it is whole. */
async function ensureModel(server: URL, sql: SQL, { name, fill }: DatabaseModel): Promise<void> {
  const isThere = async () => (await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`).length > 0;
  if (await isThere()) return;
  const unfinished = randomName("model");
  await sql.unsafe(`CREATE DATABASE ${unfinished}`);
  try {
    await fill(addressOf(server, unfinished));
    await sql.unsafe(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  } catch (error) {
    await sql.unsafe(`DROP DATABASE ${unfinished} WITH (FORCE)`);
    // Another process was faster.
    if (!(await isThere())) throw error;
  }
}

function testDatabase(server: URL, name: string): TestDatabase {
  return {
    name,
    url: addressOf(server, name),
    [Symbol.asyncDispose]: () =>
      asSuperuser(
        server,
        async (sql) => void (await sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
      ),
  };
}

export function addressOf(server: URL, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function randomName(what: string): string {
  return `cloakroom_${what}_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
