import { eq, sql, type SQL } from "drizzle-orm";
import { searchLengthMin, type ListPage } from "../../domain/model/list-page.ts";
import { parseRowNumber, parseUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { rowCounts } from "./schema/record.ts";

/** The search tables: `adapters/sqlite/migrations/0003_search.sql`. */
type SearchTable = "users_search" | "skins_search" | "capes_search" | "audit_search";

/**
 * The numbers of the rows that contain the text, ignoring case: a subquery for `IN`. It is cut to one page, so that a frequent
 * text costs no more than a rare one. Null when the text is too short to search for.
 */
export function rowsHolding(
  table: SearchTable,
  search: string,
  page: { readonly from: SQL; readonly order: SQL; readonly rows: number },
): SQL | null {
  if (Array.from(search).length < searchLengthMin) return null;
  const name = sql.identifier(table);
  // In quotes the text is one phrase without operators (FTS5, full-text query syntax).
  const phrase = `"${search.replaceAll('"', '""')}"`;
  return sql`(SELECT rowid FROM ${name} WHERE ${name} MATCH ${phrase} AND ${page.from} ORDER BY ${page.order} LIMIT ${page.rows})`;
}

/** How many rows the long tables have. */
export function rowCounter(db: Db): (table: "accounts" | "skins" | "capes" | "audit_entries") => number {
  const count = db
    .select()
    .from(rowCounts)
    .where(eq(rowCounts.name, sql.placeholder("table")))
    .prepare();
  return (table) => count.get({ table })?.rows ?? 0;
}

/** Pages of a long table by ascending id. A search finds the row that it names and the rows that contain it. */
export type Pages = {
  /** The condition for the rows of a page; without a search also for all rows after them, so the caller limits and orders. */
  readonly condition: (page: ListPage) => SQL;
  /** How many rows a search finds, up to `limits.countedMax`; null counts all rows. */
  readonly count: (search: string | null) => number;
};

/** `findNamed` returns the id of the row that a search names: by its number, uuid, name or mail address. */
export function pagesOf(
  db: Db,
  [table, searchTable]: readonly ["accounts" | "skins" | "capes", SearchTable],
  findNamed: (search: string) => number | null,
): Pages {
  const countRows = rowCounter(db);
  const id = sql`${sql.identifier(table)}.id`;
  const found = (search: string, after: number, rows: number): SQL => {
    const page = { from: sql`rowid > ${after}`, order: sql`rowid`, rows };
    const held = rowsHolding(searchTable, search, page) ?? sql`(SELECT 0 AS rowid WHERE false)`;
    const named = findNamed(search);
    if (named === null || named <= after) return held;
    // One list without doubles: SQLite would sort the rows of two alternatives.
    return sql`(SELECT rowid FROM ${held} WHERE rowid <> ${named} UNION ALL SELECT ${named})`;
  };

  return {
    condition: ({ after, rows, search }) =>
      search === null ? sql`${id} > ${after ?? 0}` : sql`${id} IN ${found(search, after ?? 0, rows)}`,
    count: (search) => {
      if (search === null) return countRows(table);
      // Counts ids, without reading the rows.
      const counted = db
        .select({ rows: sql<number>`count(*)` })
        .from(found(search, 0, limits.countedMax))
        .get();
      return counted?.rows ?? 0;
    },
  };
}

/** Finds the id of the skin or cape that a search names, by its number or uuid. */
export function idFinder(db: Db, table: "skins" | "capes"): (search: string) => number | null {
  const find = db.$client.query<{ id: number }, [string | null, number | null]>(
    `SELECT id FROM ${table} WHERE uuid = ? OR id = ?`,
  );
  return (search) => find.get(parseUuid(search), parseRowNumber(search))?.id ?? null;
}
