import { PlainError } from "../../kernel/errors.ts";
import type { ServerAddress } from "./address.ts";
import type { SourceDatabase, SourceRow, TableQuery } from "./database.ts";
import { type Ask, openServerDatabase, type ServerWords } from "./server-database.ts";
import { quoted, selection, textOf, usualPageRows } from "./statements.ts";

/** Rows with one key: a key that so many rows share tells nothing apart. */
const doublesMax = 10_000;

const words: ServerWords = {
  begin: [
    "SET NAMES utf8mb4",
    "SET SESSION time_zone = '+00:00'",
    // Modes of the server could change how cells are written.
    "SET SESSION sql_mode = ''",
    "SET SESSION wait_timeout = 86400",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
  ],
  tables:
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME LIMIT 10000",
  columns: (table) => [
    "SELECT COLUMN_NAME AS name, DATA_TYPE AS type FROM information_schema.COLUMNS" +
      " WHERE TABLE_SCHEMA = DATABASE() AND BINARY TABLE_NAME = ? ORDER BY ORDINAL_POSITION",
    [table],
  ],
  pages: pagesByKey,
  value: () => "?",
};

/** Opens a database of MySQL or MariaDB. */
export function openMysqlDatabase(address: ServerAddress): Promise<SourceDatabase> {
  return openServerDatabase(address, words);
}

/**
 * Pages by key. The server may take keys for equal that we tell apart (`Ada`, `ada`, `Àda`, `Ada `), and a
 * column without a unique index has doubles. So a page ends after all rows whose keys the server takes for
 * equal to the last one's.
 */
async function* pagesByKey(
  ask: Ask,
  query: TableQuery,
  typeOf: (column: string) => string,
): AsyncGenerator<readonly SourceRow[]> {
  const { key, table, pageRows = usualPageRows } = query;
  // With its table: a key alone in ORDER BY would be the selected text of the same name.
  const name = `${quoted("mysql", table)}.${quoted("mysql", key)}`;
  const from = `FROM ${quoted("mysql", table)}`;
  const { cell, place, value } = keyWords(name, typeOf(key));
  const rows = selection("mysql", query);
  const nulls = await ask(`${rows} WHERE ${name} IS NULL LIMIT ${doublesMax + 1}`);
  requireFew(nulls, doublesMax, query);
  if (nulls.length > 0) yield nulls;
  let after: readonly (string | number)[] = [];
  for (;;) {
    const beyond = after.length === 0 ? `${name} IS NOT NULL` : `${name} > ${place}`;
    const [end] = await ask(
      `SELECT ${cell} AS k ${from} WHERE ${beyond} ORDER BY ${name} LIMIT 1 OFFSET ${pageRows - 1}`,
      after,
    );
    const last = end?.["k"] ?? null;
    const until = last === null ? "" : ` AND ${name} <= ${place}`;
    const page = await ask(
      `${rows} WHERE ${beyond}${until} ORDER BY ${name} LIMIT ${pageRows + doublesMax + 1}`,
      last === null ? after : [...after, value(last)],
    );
    requireFew(page, pageRows + doublesMax, query);
    if (page.length > 0) yield page;
    if (last === null) return;
    if (page.length === 0)
      throw new PlainError("invalid", `the column ${key} of ${table} cannot be read in order`);
    after = [value(last)];
  }
}

type KeyWords = {
  /** The key as a text, where a text can stand for it. */
  readonly cell: string;
  /** Where the key of a statement's value stands. */
  readonly place: string;
  readonly value: (cell: string) => string | number;
};

/** A number that is compared with a text is a fraction to MySQL, and bytes are no text. */
function keyWords(name: string, type: string): KeyWords {
  if (/binary|blob/i.test(type)) return { cell: `HEX(${name})`, place: "UNHEX(?)", value: (cell) => cell };
  const isNumber = /int/i.test(type);
  return {
    cell: textOf("mysql", name),
    place: "?",
    value: (cell) => (isNumber && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell),
  };
}

function requireFew(page: readonly SourceRow[], most: number, { table, key }: TableQuery): void {
  if (page.length <= most) return;
  throw new PlainError("invalid", `more than ${doublesMax} rows of the table ${table} have the same ${key}`);
}
