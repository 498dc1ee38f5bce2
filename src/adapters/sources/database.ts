/** The database of another system, open to be read as it was at one moment. */
import type { OpenedExport } from "../../domain/backup/read-export.ts";
import { PlainError } from "../../kernel/errors.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import type { ServerAddress, SourceAddress } from "./address.ts";

export type SourceEngine = SourceAddress["engine"];

/** Cells as texts, whatever their type there; numbers in decimal, times as the server writes them. */
export type SourceRow = Readonly<Record<string, string | null>>;

/** What is read of a table, page by page. */
export type TableQuery = {
  readonly table: string;
  /** Only what is needed: the user may be allowed no more, and columns differ between versions. */
  readonly columns: readonly string[];
  /** Of these columns, those with bytes: their cells are hexadecimal, in lower case. */
  readonly bytes?: readonly string[];
  /** The column in whose order rows come. It may hold doubles and nulls, and need not be in `columns`. */
  readonly key: string;
  readonly pageRows?: number;
};

/**
 * A transaction that is read-only and shows one moment. Table names are found as they are spelled, else in
 * another case. Everything fails with a sentence that names cause and cure.
 */
export interface SourceDatabase extends AsyncDisposable {
  readonly engine: SourceEngine;
  /** Host and database, or the file's path, for sentences. */
  readonly name: string;
  /**
   * The hex SHA-256 of the system, where it is, and further parts that distinguish two systems in one
   * database, as a prefix of tables. It holds no user and no password.
   */
  place(system: string, ...parts: readonly string[]): string;
  tables(): Promise<readonly string[]>;
  /** A table's columns as they are spelled there; null: there is no such table. */
  columns(table: string): Promise<readonly string[] | null>;
  count(table: string): Promise<number>;
  /** Rows in ascending order of the key, as the server compares. */
  pages(query: TableQuery): AsyncIterable<readonly SourceRow[]>;
  /** Rows in which a column has one of a few values, 1,000 at most. */
  find(query: {
    readonly table: string;
    readonly columns: readonly string[];
    readonly where: string;
    readonly values: readonly string[];
  }): Promise<readonly SourceRow[]>;
  /** SQLite's `user_version`; 0 for servers. */
  userVersion(): Promise<number>;
}

/** A file of SQLite, as `adapters/sqlite/foreign-file.ts` opens it. */
export type SqliteFile = Disposable & {
  rows(statement: string, values: readonly string[]): Iterable<Readonly<Record<string, unknown>>>;
};

/** What opening a source needs of other adapters. */
export type SourceTools = {
  /** Opens a file read-only, with its `-wal` beside it, and begins to read. */
  readonly openFile: (path: string) => SqliteFile;
  /** A table on disk that is gone when it is closed. */
  readonly openScratch: () => ScratchTable;
  /** Verifies and unpacks an export of a cloakroom. */
  readonly openExport?: ((path: string) => Promise<OpenedExport>) | undefined;
};

/** Texts by key, more than fit in memory. */
export type ScratchTable = Disposable & {
  /** A key that is there already keeps its value. */
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  get(keys: readonly string[]): ReadonlyMap<string, string>;
};

/** Opens the database at an address and begins to read. */
export async function openDatabase(
  address: SourceAddress,
  { openFile }: Pick<SourceTools, "openFile">,
): Promise<SourceDatabase> {
  if (address.engine === "sqlite")
    return (await import("./sqlite-database.ts")).openSqliteDatabase(address, openFile);
  return address.engine === "mysql"
    ? (await import("./mysql-database.ts")).openMysqlDatabase(address)
    : (await import("./postgres-database.ts")).openPostgresDatabase(address);
}

/**
 * The columns of a table that a reader has to find there. Fails with a sentence if the table or one of
 * `needs` lacks. `hint` says what could be wrong.
 */
export async function requireColumns(
  database: SourceDatabase,
  table: string,
  needs: readonly string[],
  hint: string,
): Promise<ReadonlySet<string>> {
  const found = await database.columns(table);
  if (found === null) throw new PlainError("invalid", await missingTable(database, table, hint));
  const missing = needs.filter((one) => !found.includes(one));
  if (missing.length === 0) return new Set(found);
  const what = missing.length === 1 ? "column" : "columns";
  throw new PlainError(
    "invalid",
    `${database.name}: the table ${table} has no ${what} ${missing.join(", ")}; ${hint}`,
  );
}

async function missingTable(database: SourceDatabase, table: string, hint: string): Promise<string> {
  const tables = await database.tables();
  const none = `${database.name}: there is no table ${table} that the user may read`;
  if (tables.length === 0) return `${none}, and no other one; ${emptyCause(database.engine)}`;
  // Other names are not shown: they are another system's data.
  const prefixed = tables.find((one) => /^\w{1,64}$/.test(one) && one.endsWith(`_${table}`));
  const prefix =
    prefixed === undefined
      ? ""
      : `; there is ${prefixed}: --prefix ${prefixed.slice(0, -table.length)} may be missing`;
  return `${none}; ${hint}${prefix}`;
}

function emptyCause(engine: SourceEngine): string {
  return engine === "sqlite"
    ? "a copy of the file alone lacks what is still in its -wal: stop the program, or copy both files"
    : "check the name of the database, and grant the user SELECT on it";
}

/**
 * The hex SHA-256 of where something is. This machine has one name, however it was written: runs of one
 * source have to find each other.
 */
export function placeOf(address: SourceAddress, parts: readonly string[]): string {
  const where = address.engine === "sqlite" ? address.path : serverPlace(address);
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([address.engine, where, ...parts]))
    .digest("hex");
}

function serverPlace({ host, port, database }: ServerAddress): string {
  const isHere = host.startsWith("/") || isLoopbackHost(host.toLowerCase());
  return `${isHere ? "localhost" : host.toLowerCase()}:${port}/${database}`;
}
