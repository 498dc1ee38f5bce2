import { realpathSync, statSync } from "node:fs";
import { PlainError } from "../../kernel/errors.ts";
import type { SqliteAddress } from "./address.ts";
import {
  placeOf,
  type SourceDatabase,
  type SourceRow,
  type SqliteFile,
  type TableQuery,
} from "./database.ts";
import { fileFault } from "./faults.ts";
import { quoted, selection, spelledAs, toRow, usualPageRows } from "./statements.ts";

/**
 * Opens a file of SQLite. Fails with invalid for a file that is missing or no database, and for one without
 * tables: a copy without its `-wal`.
 */
export function openSqliteDatabase(
  { path }: SqliteAddress,
  openFile: (path: string) => SqliteFile,
): SourceDatabase {
  const within = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw fileFault(path, cause);
    }
  };
  // SQLite says only that it cannot open it.
  within(() => statSync(path));
  const file = within(() => openFile(path));
  const all = (statement: string, values: readonly string[] = []): readonly SourceRow[] =>
    within(() => Array.from(file.rows(statement, values), toRow));
  const names = (statement: string, values: readonly string[] = []) =>
    all(statement, values).map(({ name }) => name ?? "");
  try {
    // A view may be without end, and nothing stops a statement of SQLite.
    const tables = names(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    );
    if (tables.length === 0) throw new PlainError("invalid", emptyText(path));
    const spelled = (table: string): string => spelledAs(table, tables) ?? table;
    return {
      engine: "sqlite",
      name: path,
      place: (...parts) => placeOf({ engine: "sqlite", path: realpathSync(path) }, parts),
      tables: () => Promise.resolve(tables),
      columns: async (table) => {
        if (!tables.includes(spelled(table))) return null;
        const found = names("SELECT name FROM pragma_table_xinfo(?)", [spelled(table)]);
        return found.length === 0 ? null : found;
      },
      count: async (table) =>
        Number(all(`SELECT count(*) AS n FROM ${quoted("sqlite", spelled(table))}`)[0]?.["n"] ?? 0),
      pages: (query) => pagesOf(file, { ...query, table: spelled(query.table) }, within),
      find: async ({ table, columns, where, values }) =>
        all(
          `${selection("sqlite", { table: spelled(table), columns })} WHERE ${quoted("sqlite", where)} IN (${values.map(() => "?").join(", ")}) LIMIT 1000`,
          values,
        ),
      userVersion: async () =>
        Number(all("SELECT user_version AS n FROM pragma_user_version")[0]?.["n"] ?? 0),
      [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
    };
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

function emptyText(path: string): string {
  return `${path}: it has no tables; what was written recently may be in ${path}-wal alone: copy both files, or stop the program that writes them and copy then`;
}

/** One statement, whose rows are read while pages are taken: SQLite sorts once, if it has to. */
async function* pagesOf(
  file: SqliteFile,
  query: TableQuery,
  within: <T>(work: () => T) => T,
): AsyncGenerator<readonly SourceRow[]> {
  const { key, pageRows = usualPageRows } = query;
  const order = `${quoted("sqlite", query.table)}.${quoted("sqlite", key)}`;
  const found = within(() => file.rows(`${selection("sqlite", query)} ORDER BY ${order}`, []));
  const rows = found[Symbol.iterator]();
  try {
    for (;;) {
      const page = within(() => takeRows(rows, pageRows));
      if (page.length > 0) yield page;
      if (page.length < pageRows) return;
    }
  } finally {
    rows.return?.();
  }
}

function takeRows(rows: Iterator<Readonly<Record<string, unknown>>>, most: number): readonly SourceRow[] {
  const page: SourceRow[] = [];
  while (page.length < most) {
    const next = rows.next();
    if (next.done === true) break;
    page.push(toRow(next.value));
  }
  return page;
}
