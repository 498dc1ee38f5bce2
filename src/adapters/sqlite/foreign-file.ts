/** Databases of other programs, which are only read, and tables that are gone when they are closed. */
import type { Database } from "bun:sqlite";
import { inMemory, openHandle } from "./handle.ts";

/** A database of another program, shown as it was when it was opened. */
export type ForeignFile = Disposable & {
  /** Rows are read as they are taken. */
  rows(statement: string, values: readonly string[]): Iterable<Readonly<Record<string, unknown>>>;
};

/**
 * Opens a file that another program may be writing to, together with its `-wal`. Never as `immutable`: what
 * is in that log alone would be missing.
 */
export function openForeignFile(path: string): ForeignFile {
  const handle = openHandle(path, { readonly: true });
  try {
    handle.run("PRAGMA busy_timeout = 5000");
    handle.run("PRAGMA query_only = ON");
    handle.run("BEGIN");
    // The moment that is shown is that of the first statement that reads.
    handle.query("SELECT count(*) FROM sqlite_schema").get();
  } catch (error) {
    handle.close();
    throw error;
  }
  return {
    rows: (statement, values) => rowsOf(handle, statement, values),
    [Symbol.dispose]: () => handle.close(),
  };
}

function* rowsOf(
  handle: Database,
  statement: string,
  values: readonly string[],
): Generator<Readonly<Record<string, unknown>>> {
  using prepared = handle.prepare<Record<string, unknown>, string[]>(statement);
  yield* prepared.iterate(...values);
}

/** Texts by key, in a private file that SQLite removes. */
export type Scratch = Disposable & {
  /** A key that is there already keeps its value. */
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  get(keys: readonly string[]): ReadonlyMap<string, string>;
};

/** Opens an empty table that is on disk as far as it is large, and gone when it is closed. */
export function openScratch(): Scratch {
  const handle = openHandle(inMemory);
  // A database without a name is a private file, which SQLite removes before anything is in it.
  handle.run("ATTACH '' AS scratch");
  handle.run("PRAGMA scratch.cache_size = -8192");
  handle.run("PRAGMA scratch.journal_mode = OFF");
  handle.run("PRAGMA scratch.synchronous = OFF");
  handle.run("CREATE TABLE scratch.texts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  // One for good: at the end of each transaction SQLite would walk over all changed pages in memory.
  handle.run("BEGIN");
  const insert = handle.prepare<null, [string, string]>("INSERT OR IGNORE INTO texts VALUES (?, ?)");
  const find = handle.prepare<{ value: string }, [string]>("SELECT value FROM texts WHERE key = ?");
  return {
    put: (entries) => {
      for (const [key, value] of entries) insert.run(key, value);
    },
    get: (keys) => {
      const found = new Map<string, string>();
      for (const key of keys) {
        const row = find.get(key);
        if (row !== null) found.set(key, row.value);
      }
      return found;
    },
    [Symbol.dispose]: () => {
      insert.finalize();
      find.finalize();
      handle.close();
    },
  };
}
