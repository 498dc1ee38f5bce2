/* Databases of other systems, as tests make them: on each engine that is here. */
import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyMariaDatabase, mariadbMissing } from "../support/mariadb.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";

export type ForeignEngine = "sqlite" | "mysql" | "postgres";

export type Cell = string | number | Uint8Array | null;

export type ForeignDatabase = AsyncDisposable & {
  readonly engine: ForeignEngine;
  /** As `--dsn` takes it, of a user who may only read. */
  readonly dsn: string;
  readonly run: (statement: string) => Promise<void>;
  readonly insert: (table: string, rows: readonly Readonly<Record<string, Cell>>[]) => Promise<void>;
};

const missing: Readonly<Record<ForeignEngine, string | null>> = {
  sqlite: null,
  mysql: mariadbMissing,
  postgres: postgresMissing,
};

/** The engines that are here. Says which are not. */
export function foreignEngines(what: string): readonly ForeignEngine[] {
  const engines: readonly ForeignEngine[] = ["sqlite", "mysql", "postgres"];
  for (const engine of engines)
    if (missing[engine] !== null) console.error(`NOT RUN: ${what} from ${engine} (${missing[engine]})`);
  return engines.filter((engine) => missing[engine] === null);
}

const opened = { sqlite: sqliteDatabase, mysql: mariaDatabase, postgres: postgresDatabase };

/** Makes an empty database, which goes when it is disposed of. */
export function foreignDatabase(engine: ForeignEngine): Promise<ForeignDatabase> {
  return opened[engine]();
}

const reader = "reader";
const password = "p@ss/w:rd";

async function sqliteDatabase(): Promise<ForeignDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-foreign-"));
  const path = join(folder, "foreign.db");
  const handle = new Database(path);
  return {
    engine: "sqlite",
    dsn: `sqlite://${path}`,
    run: async (statement) => void handle.run(statement),
    insert: async (table, rows) => {
      for (const row of rows)
        handle.run(
          insertion('"', table, row, () => "?"),
          Object.values(row),
        );
    },
    [Symbol.asyncDispose]: async () => {
      handle.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function mariaDatabase(): Promise<ForeignDatabase> {
  const { name, port, sql, ...database } = await emptyMariaDatabase();
  const user = `r_${name.slice(5, 25)}`;
  // As most servers of communities are set: zero dates may be written.
  await sql.unsafe("SET SESSION sql_mode = ''");
  await sql.unsafe(`CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'`);
  await sql.unsafe(`GRANT SELECT ON ${name}.* TO ${user}@'127.0.0.1'`);
  return {
    engine: "mysql",
    dsn: `mysql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`,
    run: async (statement) => void (await sql.unsafe(statement)),
    insert: async (table, rows) => {
      for (const row of rows)
        await sql.unsafe(
          insertion("`", table, row, () => "?"),
          Object.values(row),
        );
    },
    [Symbol.asyncDispose]: async () => {
      await sql.unsafe(`DROP USER ${user}@'127.0.0.1'`);
      await database[Symbol.asyncDispose]();
    },
  };
}

async function postgresDatabase(): Promise<ForeignDatabase> {
  const database = await emptyDatabase();
  const sql = new SQL({ url: database.url, max: 1, connectionTimeout: 30 });
  const user = `${reader}_${database.name}`;
  await sql.unsafe(`CREATE USER ${user} PASSWORD '${password}'`);
  await sql.unsafe(`ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ${user}`);
  const address = new URL(database.url);
  return {
    engine: "postgres",
    dsn: `postgres://${user}:${encodeURIComponent(password)}@${address.host}/${database.name}`,
    run: async (statement) => void (await sql.unsafe(statement)),
    insert: async (table, rows) => {
      for (const row of rows)
        await sql.unsafe(
          insertion('"', table, row, (index) => `$${index + 1}`),
          Object.values(row),
        );
    },
    [Symbol.asyncDispose]: async () => {
      await sql.unsafe(`DROP OWNED BY ${user}`);
      await sql.unsafe(`DROP USER ${user}`);
      await sql.close({ timeout: 0 });
      await database[Symbol.asyncDispose]();
    },
  };
}

function insertion(
  quote: string,
  table: string,
  row: Readonly<Record<string, Cell>>,
  place: (index: number) => string,
): string {
  const columns = Object.keys(row);
  const names = columns.map((column) => `${quote}${column}${quote}`).join(", ");
  return `INSERT INTO ${quote}${table}${quote} (${names}) VALUES (${columns.map((_, index) => place(index)).join(", ")})`;
}
