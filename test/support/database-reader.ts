import { Database } from "bun:sqlite";
import type { Mail } from "../../src/domain/model/mail.ts";
import { openWaiting } from "./waiting-postgres.ts";

/** A mail as the outbox has it. */
export type PostedMail = { readonly to: string; readonly language: string; readonly mail: Mail };

/**
 * The database of a running service, read and written past the service. What is not committed does not show.
 */
export type DatabaseReader = Disposable & {
  /** The rows of a statement that both engines know. */
  readonly rows: (statement: string) => readonly Row[];
  /** Writes past the service and its change feed: a statement that both engines know. */
  readonly change: (statement: string) => void;
  readonly countRows: (table: string) => number;
  /** All that is kept, by table. */
  readonly everything: () => Readonly<Record<string, readonly unknown[]>>;
  /** Every mail that was posted and is not sent yet, the first one first. */
  readonly mails: () => readonly PostedMail[];
  /** What no answer and no log line may hold: hashes, and codes in every form. */
  readonly secrets: () => readonly string[];
};

/** Reads a database file. */
export function readSqlite(path: string): DatabaseReader {
  const database = new Database(path, { readonly: true });
  const change = (statement: string) => {
    using own = new Database(path);
    own.run("PRAGMA busy_timeout = 5000");
    own.run(statement);
  };
  const rows = (statement: string) => database.query<Row, []>(statement).all();
  const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name));
  return readerOver({
    rows,
    change,
    everything: () => Object.fromEntries(tables.map((table) => [table, rows(`SELECT * FROM ${table}`)])),
    close: () => database.close(true),
  });
}

/** Reads a database of PostgreSQL, whose booleans are 0 and 1 here as they are in a file. */
export function readPostgres(url: string): DatabaseReader {
  const database = openWaiting(url);
  const { rows, change } = database;
  let statement: string | null = null;
  return readerOver({
    rows,
    change,
    everything: () => {
      statement ??= statementOfEverything(rows(listedColumns));
      return Object.fromEntries(rows(statement).map(({ name, kept }) => [name, kept ?? []]));
    },
    close: () => database[Symbol.dispose](),
  });
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * What nodes keep for themselves, what is in memory or in files on SQLite, and what is derived from the rest.
 */
const ownToPostgres = new Set(
  `attempt_counts audit_head bulk_copying change count_deltas event_notes joins kept_keys leases marks nodes
   row_counts search_texts used_once`.split(/\s+/),
);

const listedColumns = `
  SELECT relname AS "table", attname AS "column", atttypid = 'boolean'::regtype AS "isBoolean"
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  ORDER BY relname, attnum`;

/** One statement for all tables: a scenario asks twice. */
function statementOfEverything(columns: readonly Row[]): string {
  const tables = Map.groupBy(columns, ({ table }) => String(table));
  const parts = Array.from(tables, ([table, own]) => {
    const listed = own.map(
      ({ column, isBoolean }) =>
        `"${String(column)}"${isBoolean === true ? `::int AS "${String(column)}"` : ""}`,
    );
    // As SQLite does: by the number of the row.
    const number = ["seq", "id"].find((name) => own.some(({ column }) => column === name));
    const order = number === undefined ? "one::text" : `one.${number}`;
    return ownToPostgres.has(table)
      ? []
      : [
          `SELECT '${table}' AS name, (SELECT json_agg(one ORDER BY ${order}) FROM (SELECT ${listed.join()} FROM ${table}) one) AS kept`,
        ];
  });
  return parts.flat().join(" UNION ALL ");
}

function readerOver(database: {
  readonly rows: DatabaseReader["rows"];
  readonly change: DatabaseReader["change"];
  readonly everything: DatabaseReader["everything"];
  readonly close: () => void;
}): DatabaseReader {
  const { rows, change, everything, close } = database;
  const texts = (statement: string) => rows(statement).map(({ text }) => String(text));
  const mails = () =>
    rows("SELECT recipient, language, content FROM outbox WHERE content IS NOT NULL ORDER BY id").map(
      (row) => ({
        to: String(row["recipient"]),
        language: String(row["language"]),
        mail: JSON.parse(String(row["content"])) as Mail,
      }),
    );
  return {
    rows,
    change,
    countRows: (table) => Number(rows(`SELECT count(*) AS rows FROM ${table}`)[0]?.["rows"] ?? 0),
    everything,
    mails,
    secrets: () => [
      ...texts("SELECT password_hash AS text FROM accounts WHERE password_hash IS NOT NULL"),
      ...texts("SELECT password_hash AS text FROM registration_passwords"),
      ...texts("SELECT hash AS text FROM codes"),
      ...mails().flatMap(({ mail }) => ("code" in mail ? [mail.code, mail.code.replace("-", "")] : [])),
      ...mails().flatMap(({ mail }) => ("code" in mail ? [mail.link] : [])),
    ],
    [Symbol.dispose]: close,
  };
}
