import { eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "./open.ts";
import { searchLengthMin } from "../../domain/model/list-page.ts";
import { rowCounts } from "./schema/row-count.ts";

/** What the search tables hold: `migrations/0003_search.sql`. */
export type SearchTable = "users_search" | "skins_search" | "capes_search" | "audit_search";

/**
 * The numbers of rows in which the text stands, in any case; a subquery for `IN`. It is cut to one page, so that a text that
 * is everywhere costs no more than a rare one. Null when the text is too short to be looked for.
 */
export function rowsHolding(
  table: SearchTable,
  search: string,
  page: { readonly from: SQL; readonly order: SQL; readonly rows: number },
): SQL | null {
  if (Array.from(search).length < searchLengthMin) return null;
  const name = sql.identifier(table);
  // Quoted, the text is one phrase and none of it an operator (FTS5, full-text query syntax).
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
