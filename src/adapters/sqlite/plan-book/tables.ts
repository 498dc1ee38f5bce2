import type { Database, SQLQueryBindings } from "bun:sqlite";
import { codeOf, PlainError } from "../../../kernel/errors.ts";
import { inMemory, openHandle } from "../handle.ts";

/**
 * The tables of a plan. Records are kept as JSON beside the columns that they are looked up by. `plan` is a
 * file without a name in the system's folder for temporary files, which is gone with the process: it holds
 * hashes of passwords.
 */
const tables = `
  CREATE TABLE plan.accounts (
    n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, rank INTEGER NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '', id INTEGER, mail TEXT, joins INTEGER,
    digest TEXT, source TEXT NOT NULL
  );
  CREATE INDEX plan.accounts_joins ON accounts (joins) WHERE joins IS NOT NULL;
  CREATE INDEX plan.accounts_rank ON accounts (rank, n) WHERE state = 'new';
  CREATE TABLE plan.players (
    n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, account INTEGER, rank INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'new', reason TEXT NOT NULL DEFAULT '', id INTEGER, name TEXT, uuid TEXT,
    shows_skin INTEGER NOT NULL DEFAULT 0, digest TEXT, source TEXT NOT NULL
  );
  CREATE INDEX plan.players_rank ON players (rank, n) WHERE state = 'new';
  CREATE INDEX plan.players_account ON players (account, n);
  CREATE TABLE plan.textures (
    n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new',
    reason TEXT NOT NULL DEFAULT '', bitmap TEXT, cape TEXT,
    is_own INTEGER NOT NULL, source TEXT NOT NULL
  );
  CREATE TABLE plan.skins (
    n INTEGER PRIMARY KEY, account INTEGER NOT NULL, key TEXT NOT NULL UNIQUE, texture INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'new', reason TEXT NOT NULL DEFAULT '', id INTEGER, name TEXT, model TEXT,
    added_at INTEGER, is_worn INTEGER NOT NULL
  );
  CREATE INDEX plan.skins_account ON skins (account, n);
  CREATE INDEX plan.skins_texture ON skins (texture) WHERE state = 'new';
  CREATE TABLE plan.grants (
    n INTEGER PRIMARY KEY, account INTEGER NOT NULL, texture INTEGER NOT NULL, holding TEXT,
    UNIQUE (account, texture)
  );
  CREATE INDEX plan.grants_texture ON grants (texture);
  CREATE TABLE plan.identities (n INTEGER PRIMARY KEY, account INTEGER NOT NULL, source TEXT NOT NULL);
  CREATE INDEX plan.identities_account ON identities (account, n);
  CREATE INDEX plan.textures_cape ON textures (cape) WHERE cape IS NOT NULL;
  CREATE TABLE plan.claims (
    list TEXT NOT NULL, key TEXT NOT NULL, owner INTEGER NOT NULL, PRIMARY KEY (list, key)
  ) WITHOUT ROWID;
  CREATE TABLE plan.suffixes (stem TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE plan.aliases (account INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (account, name)) WITHOUT ROWID;
  CREATE TABLE plan.bitmaps (hash TEXT PRIMARY KEY, facts TEXT NOT NULL, png BLOB NOT NULL);
  CREATE TABLE plan.planned_capes (n INTEGER PRIMARY KEY, planned TEXT NOT NULL);
  CREATE TABLE plan.planned_accounts (n INTEGER PRIMARY KEY, planned TEXT NOT NULL);
  CREATE TABLE plan.decided (
    n INTEGER PRIMARY KEY, kind TEXT NOT NULL, decision TEXT NOT NULL, reason TEXT NOT NULL, source TEXT NOT NULL,
    of TEXT, became TEXT
  );
`;

/** Pages of the file that are kept in memory, in KiB: what the pages of one step touch again and again. */
const cacheKib = 32 * 1024;

/**
 * Opens the file of a plan: no journal and no waiting for the disk, because nothing reads it after a crash.
 */
export function openPlanFile(): Database {
  const file = openHandle(inMemory);
  file.run("PRAGMA temp_store = FILE");
  file.run("ATTACH '' AS plan");
  file.run("PRAGMA plan.journal_mode = OFF");
  file.run("PRAGMA plan.synchronous = OFF");
  file.run(`PRAGMA plan.cache_size = -${cacheKib}`);
  file.run(tables);
  // One for good: a transaction of its own for each statement would write its pages each time.
  file.run("BEGIN");
  return file;
}

/** Statements that are prepared once, by their texts, which are few. */
export type Statements = {
  readonly run: (text: string, ...values: SQLQueryBindings[]) => { readonly changes: number };
  /** Rows have the type that the caller names, by the columns of its statement. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as drivers' own functions have it
  readonly all: <Row>(text: string, ...values: SQLQueryBindings[]) => readonly Row[];
};

/** Prepares the statements of a file. */
export function statementsOf(file: Database): Statements {
  return {
    run: (text, ...values) => withReason(() => file.query(text).run(...values)),
    // The boundary where rows get their types: each caller names the columns of its own statement.
    all: <Row>(text: string, ...values: SQLQueryBindings[]) =>
      withReason(() => file.query(text).all(...values) as Row[]),
  };
}

/** Without it a full folder would be reported as a full data folder. */
function withReason<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!/^SQLITE_(?:FULL|IOERR|CANTOPEN)/.test(codeOf(cause) ?? "")) throw cause;
    throw new PlainError(
      "no_space",
      "the plan cannot be written to the folder for temporary files: make room there, or let SQLITE_TMPDIR name another folder",
      { cause },
    );
  }
}

/** Sets some columns of the record with this number. */
export function setColumns(
  { run }: Statements,
  table: "accounts" | "players" | "textures" | "skins",
  n: number,
  change: Readonly<Record<string, SQLQueryBindings | undefined>>,
): void {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  const columns = given.map(([name]) => `${name} = ?`).join(", ");
  run(`UPDATE plan.${table} SET ${columns} WHERE n = ?`, ...given.map(([, value]) => value ?? null), n);
}

/** A list of values as one value, for `IN (SELECT value FROM json_each(?))`. */
export function listed(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}

/** Pages of a table by number, from the first on. */
export function* pagesByNumber<Row>(
  read: (after: number) => readonly { readonly n: number; readonly row: Row }[],
): Iterable<readonly Row[]> {
  for (let after = 0; ;) {
    const page = read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(({ row }) => row);
    after = last.n;
  }
}
