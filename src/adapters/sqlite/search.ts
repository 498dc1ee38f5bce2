import { eq, sql, type SQL } from "drizzle-orm";
import { isIndexed, isSearchable, type ListPage } from "../../domain/model/list-page.ts";
import { parseRowNumber, parseUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { rowCounts } from "./schema.ts";
import { holdsText, holdsWord, type SearchTable } from "./search-text.ts";

/** Where no index helps, as many texts are looked at in the order of the list and no more: some 40 ms. What lies beyond is not found. */
const scannedTexts = 100_000;

/**
 * The numbers of the rows that contain the text, ignoring case: a subquery for `IN`. It is cut to one page, so that a frequent
 * text costs no more than a rare one. Null when the text is too short to search for.
 */
export function rowsHolding(
  db: Db,
  table: SearchTable,
  search: string,
  page: { readonly from: SQL; readonly order: SQL; readonly rows: number },
): SQL | null {
  const name = sql.identifier(table);
  if (!isIndexed(search)) {
    if (!isSearchable(search)) return null;
    // SQLite hands the rows of the inner query on in its order, and reads no further than the page is long.
    const scanned = sql`(SELECT rowid, * FROM ${name} WHERE ${page.from} ORDER BY ${page.order} LIMIT ${scannedTexts})`;
    return sql`(SELECT rowid FROM ${scanned} WHERE ${holdsWord(table, search)} LIMIT ${page.rows})`;
  }
  const isHeld = holdsText(db, table, search);
  return sql`(SELECT rowid FROM ${name} WHERE ${isHeld} AND ${page.from} ORDER BY ${page.order} LIMIT ${page.rows})`;
}

/** What is counted in `row_counts`. */
type Counted = "accounts" | "accounts_unconfirmed" | "skins" | "capes" | "audit_entries";

/** How many rows the long tables have. */
export function rowCounter(db: Db): (table: Counted) => number {
  const count = db
    .select()
    .from(rowCounts)
    .where(eq(rowCounts.name, sql.placeholder("table")))
    .prepare();
  return (table) => count.get({ table })?.rows ?? 0;
}

/** Pages of a long table by id. A search finds the row that it names and the rows that contain it. */
export type Pages = {
  /** The condition for the rows of a page; without a search also for all rows after them, so the caller limits and orders. */
  readonly condition: (page: ListPage) => SQL;
  readonly order: (page: ListPage) => SQL;
  /** How many rows a search finds, up to `most`, by default `limits.countedMax`; null counts all rows. */
  readonly count: (search: string | null, most?: number) => number;
};

/** `findNamed` returns the id of the row that a search names: by its number, uuid, name or mail address. */
export function pagesOf(
  db: Db,
  [table, searchTable]: readonly ["accounts" | "skins" | "capes", SearchTable],
  findNamed: (search: string) => number | null,
): Pages {
  const countRows = rowCounter(db);
  const id = sql`${sql.identifier(table)}.id`;
  const found = (search: string, page: ListPage): SQL => {
    const { isNewestFirst = false, rows } = page;
    const cut = { from: isAfter(sql`rowid`, page), order: inOrder(sql`rowid`, page), rows };
    const held = rowsHolding(db, searchTable, search, cut) ?? sql`(SELECT 0 AS rowid WHERE false)`;
    const named = findNamed(search);
    const after = page.after ?? (isNewestFirst ? Infinity : 0);
    if (named === null || (isNewestFirst ? named >= after : named <= after)) return held;
    // One list without doubles: SQLite would sort the rows of two alternatives.
    return sql`(SELECT rowid FROM ${held} WHERE rowid <> ${named} UNION ALL SELECT ${named})`;
  };

  return {
    condition: (page) =>
      page.search === null ? isAfter(id, page) : sql`${id} IN ${found(page.search, page)}`,
    order: (page) => inOrder(id, page),
    count: (search, most = limits.countedMax) => {
      if (search === null) return countRows(table);
      // Counts ids, without reading the rows.
      const counted = db
        .select({ rows: sql<number>`count(*)` })
        .from(found(search, { search, after: null, rows: most }))
        .get();
      return counted?.rows ?? 0;
    },
  };
}

/** The condition for the rows that come after the last one seen. */
export function isAfter(id: SQL, { after, isNewestFirst = false }: ListPage): SQL {
  return isNewestFirst ? sql`${id} < ${after ?? Number.MAX_SAFE_INTEGER}` : sql`${id} > ${after ?? 0}`;
}

export function inOrder(id: SQL, { isNewestFirst = false }: ListPage): SQL {
  return isNewestFirst ? sql`${id} DESC` : id;
}

/** Finds the id of the skin or cape that a search names, by its number or uuid. */
export function idFinder(db: Db, table: "skins" | "capes"): (search: string) => number | null {
  const find = db.$client.query<{ id: number }, [string | null, number | null]>(
    `SELECT id FROM ${table} WHERE uuid = ? OR id = ?`,
  );
  return (search) => find.get(parseUuid(search), parseRowNumber(search))?.id ?? null;
}
