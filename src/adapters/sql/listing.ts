import { asc, desc, gt, lt, sql, type Column, type SQL, type SQLWrapper } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";
import { isIn } from "./dialect.ts";
import { placeOf, type Pages } from "./pages.ts";
import type { Sender } from "./sender.ts";
import { firstOf, statement } from "./statement.ts";

/** What `statement` reads rows by. */
type Readers = Parameters<typeof statement>[1];

/**
 * The rows of a page of a long table: those that a search found, or all from the page's place on. `rows`
 * builds a statement of the condition and the order, without a bound.
 */
export function listing<Read extends Readers>(
  columns: Read,
  id: Column,
  rows: (condition: SQL, order: SQL) => SQLWrapper,
) {
  const after = sql.placeholder("after");
  const found = isIn(id, sql.placeholder("ids"), "bigint");
  const inOrder = (order: SQL, comes: SQL) => ({
    all: statement(firstOf(rows(comes, order)), columns),
    found: statement(rows(found, order), columns),
  });
  const oldest = inOrder(asc(id), gt(id, after));
  const newest = inOrder(desc(id), lt(id, after));

  return async (db: Sender, pages: Pages, page: ListPage) => {
    const list = page.isNewestFirst === true ? newest : oldest;
    const ids = await pages.find(page);
    if (ids === null) return list.all(db, { after: placeOf(page), rows: page.rows });
    return ids.length === 0 ? [] : list.found(db, { ids });
  };
}
