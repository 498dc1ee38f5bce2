/** Rows of a database as they are copied to another engine, and from one. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { copiedTables, type CopiedTableName } from "../../domain/model/copied-tables.ts";
import type {
  Cell,
  CopiedRow,
  CopiedTable,
  CopyPosition,
  LastNumbers,
  TableSource,
  TableTarget,
} from "../../domain/ports/table-copy.ts";
import { PlainError } from "../../kernel/errors.ts";
import { described } from "../sql/copied-tables.ts";
import { databaseFaults } from "./database-copy.ts";
import { translateFault } from "./faults.ts";
import { openHandle, openUnshared } from "./handle.ts";
import { applyMigrations, pendingMigrations } from "./migrations.ts";
import { ownTriggers, schemaFaults } from "./own-schema.ts";
import { placeMark, readPlace } from "./place-mark.ts";

/** What the schema has the column `seq` for is in `rowid`: which row was written later. */
const numberedByRow = ["held_names", "sessions", "cape_grants"] as const satisfies readonly CopiedTableName[];
const isNumberedByRow = (table: string): boolean => numberedByRow.some((one) => one === table);

/**
 * Opens a database that no other process uses to copy rows from it. Fails with conflict where its schema is
 * not this program's.
 */
export function openTableSource(path: string): TableSource & Disposable {
  const database = openUnshared(path);
  try {
    if (pendingMigrations(database).length > 0) {
      throw new PlainError(
        "conflict",
        `${path} was written by an older version: bring it up to date first (cloakroom migrate)`,
      );
    }
    const [fault] = schemaFaults(database);
    if (fault !== undefined) throw new PlainError("conflict", `the schema of ${path} was changed: ${fault}`);
    database.run("BEGIN");
    return { ...sourceOf(database), [Symbol.dispose]: () => database.close(true) };
  } catch (error) {
    database.close(true);
    throw error;
  }
}

/** Opens a database file to copy rows of the community into it, and makes it if there is none. */
export function openTableTarget(
  path: string,
  community: string,
): TableTarget &
  Disposable & {
    /** Everything is there: the file is the community's database. */
    readonly finish: () => void;
  } {
  const database = openHandle(path, { create: true, readwrite: true });
  try {
    applyMigrations(database);
    database.run("PRAGMA journal_mode = WAL");
    // Commits survive the end of this process; the end of the copy waits for the disk.
    database.run("PRAGMA synchronous = NORMAL");
    // Every new row is somewhere else in each index: with SQLite's usual 2 MB of cache and 4 MB of log most
    // pages would be read and written again for it.
    database.run("PRAGMA cache_size = -262144");
    database.run("PRAGMA wal_autocheckpoint = 20000");
    // Accounts and players refer to each other. What is not there in the end is found by `faults`.
    database.run("PRAGMA foreign_keys = OFF");
    begin(database, community);
  } catch (error) {
    database.close(true);
    throw error;
  }
  return {
    ...sourceOf(database),
    ...targetOf(database),
    finish: () => {
      database.run("PRAGMA synchronous = FULL");
      database.transaction(() => {
        database.run("DROP TABLE IF EXISTS copying");
        database.query("UPDATE marks SET value = ? WHERE name = 'community'").run(community);
      })();
      // Everything is in one file then, durably.
      database.run("PRAGMA journal_mode = DELETE");
    },
    [Symbol.dispose]: () => database.close(true),
  };
}

/**
 * Without triggers: counts are copied, and searches are filled at once in the end. A database that has its
 * community's mark was finished, by a process that was killed before the file got its name: its position is
 * the end.
 */
function begin(database: Database, community: string): void {
  database.transaction(() => {
    database.run("CREATE TABLE IF NOT EXISTS copying (position TEXT NOT NULL)");
    if (database.query("SELECT 1 FROM copying").get() !== null) return;
    const isOf = database.query("SELECT 1 FROM marks WHERE name = 'community' AND value = ?");
    if (isOf.get(community) !== null) {
      database
        .query("INSERT INTO copying VALUES (?)")
        .run(JSON.stringify({ table: described.length, after: null }));
      return;
    }
    for (const { name } of ownTriggers()) database.run(`DROP TRIGGER IF EXISTS \`${name}\``);
    // What the migrations put there themselves.
    for (const table of ["row_counts", "daily_counts"]) database.run(`DELETE FROM ${table}`);
    database.query("INSERT INTO copying VALUES (?)").run(JSON.stringify({ table: 0, after: null }));
  })();
}

function sourceOf(database: Database): TableSource {
  return {
    tables: described,
    rows: async (table, after, most) => pageOf(database, table, after, most),
    count: async ({ name }) =>
      database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${name}`).get()?.rows ?? 0,
    lastNumbers: async () => lastNumbersOf(database),
    community: async () =>
      database.query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'community'").get()
        ?.value ?? "",
    place: { read: () => readPlace(database) },
  };
}

function pageOf(
  database: Database,
  { name, columns, key }: CopiedTable,
  after: readonly Cell[] | null,
  most: number,
): readonly CopiedRow[] {
  const cells = columns.map((column) => cellOf(name, column.name));
  const keys = key.map((index) => columns[index]?.name ?? "").join(", ");
  const from = after === null ? "" : `WHERE (${keys}) > (${after.map(() => "?").join(", ")})`;
  const statement = `SELECT ${cells.join(", ")} FROM ${name} ${from} ORDER BY ${keys} LIMIT ?`;
  // Columns of ours hold texts and numbers alone; the copy checks each.
  return database.query(statement).values(...(after ?? []), most) as readonly CopiedRow[];
}

function cellOf(table: string, column: string): string {
  return column === "seq" && isNumberedByRow(table) ? "rowid" : `"${column}"`;
}

function lastNumbersOf(database: Database): LastNumbers {
  const rows = database
    .query<{ name: string; seq: number }, []>("SELECT name, seq FROM sqlite_sequence")
    .all();
  const numbered = new Map<CopiedTableName, number>();
  for (const { name, seq } of rows) {
    const table = copiedTables.find((one) => one === name);
    if (table !== undefined) numbered.set(table, seq);
  }
  for (const name of numberedByRow) {
    const last = database.query<{ seq: number | null }, []>(`SELECT max(rowid) AS seq FROM ${name}`).get();
    numbered.set(name, last?.seq ?? 0);
  }
  return numbered;
}

function targetOf(
  database: Database,
): Pick<TableTarget, "place" | "position" | "put" | "complete" | "faults"> {
  const read = () =>
    database.query<{ position: string }, []>("SELECT position FROM copying").get()?.position ?? "";
  return {
    place: placeMark(database),
    // Only `put` writes it.
    position: async () => JSON.parse(read()) as CopyPosition,
    put: async (table, rows, { from, to }) => {
      try {
        database
          .transaction(() => {
            if (read() !== JSON.stringify(from))
              throw new PlainError("conflict", "another process is copying into this database");
            insertRows(database, table, rows);
            database.query("UPDATE copying SET position = ?").run(JSON.stringify(to));
          })
          .immediate();
      } catch (error) {
        throw translateFault(error);
      }
    },
    complete: async (lastNumbers, progress) => {
      try {
        database.transaction(() => complete(database, lastNumbers, progress)).immediate();
      } catch (error) {
        throw translateFault(error);
      }
    },
    faults: async () => [
      ...schemaFaults(database).filter((fault) => fault !== 'the table "copying" is not part of it'),
      ...databaseFaults(database, "integrity_check"),
    ],
  };
}

function insertRows(database: Database, { name, columns }: CopiedTable, rows: readonly CopiedRow[]): void {
  if (rows.length === 0) return;
  const names = columns.map((column) => cellOf(name, column.name)).join(", ");
  const insert = database.query(
    `INSERT INTO ${name} (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const row of rows) insert.run(...(row as SQLQueryBindings[]));
}

/** What each search table is made of; triggers keep it from then on. */
const searches: Readonly<Record<string, string>> = {
  users_search: `(rowid, name, mail) SELECT id, coalesce((SELECT group_concat(name, char(10)) FROM players WHERE account_id = accounts.id), ''),
    coalesce(mail, '') FROM accounts`,
  skins_search: "(rowid, name) SELECT id, name FROM skins",
  capes_search: "(rowid, name) SELECT id, name FROM capes",
  audit_search: "(rowid, issuer, action) SELECT id, issuer, action FROM audit_entries",
};

function complete(
  database: Database,
  lastNumbers: LastNumbers,
  progress: (step: string, done: number) => void,
): void {
  for (const [done, [table, rows]] of Object.entries(searches).entries()) {
    progress("making searches", done);
    database.run(`DELETE FROM ${table}`);
    database.run(`INSERT INTO ${table} ${rows}`);
  }
  const remember = database.query("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
  const add = database.query(
    "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
  );
  for (const [name, last] of lastNumbers) {
    // A table that never had a row has no number to remember.
    if (last === 0 || isNumberedByRow(name)) continue;
    for (const statement of [remember, add]) statement.run(name, last);
  }
  for (const { name, sql } of ownTriggers()) {
    database.run(`DROP TRIGGER IF EXISTS \`${name}\``);
    database.run(sql);
  }
}
