import { sql } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";
import { parseRowNumber, parseUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { countRows } from "./row-counts.ts";
import type { Search } from "./search.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/**
 * Pages of a long table by number. A search finds the row that it names and the rows that hold it, by the
 * index of the engine.
 */
export type Pages = {
  /** The numbers of a page's rows, in its order; null for a page of all rows. */
  readonly find: (page: ListPage) => Promise<readonly number[] | null>;
  /** How many rows a search finds, up to `most`, by default `limits.countedMax`; null counts all rows. */
  readonly count: (search: string | null, most?: number) => Promise<number>;
};

/** The place that a page of all rows begins after. */
export function placeOf({ after, isNewestFirst = false }: Omit<ListPage, "search" | "rows">): number {
  return after ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);
}

/** Finds the number of the skin or cape that a search names, by its number or uuid. */
export function idFinder(db: Sender, table: "skins" | "capes"): (search: string) => Promise<number | null> {
  return async (search) => {
    const [uuid, id] = [parseUuid(search), parseRowNumber(search)];
    if (uuid === null && id === null) return null;
    return first(await named[table](db, { uuid, id }))?.id ?? null;
  };
}

const namedIn = (table: "skins" | "capes") =>
  statement(
    sql`
      SELECT coalesce(
        (SELECT id FROM ${sql.identifier(table)} WHERE uuid = ${sql.placeholder("uuid")}),
        (SELECT id FROM ${sql.identifier(table)} WHERE id = ${sql.placeholder("id")}))`,
    { id: (id: unknown) => id as number | null },
  );
const named = { skins: namedIn("skins"), capes: namedIn("capes") };

/**
 * Pages of a table: the rows that hold a text, and the row that it names. `findNamed` returns the number of
 * that one, by its number, uuid, name or mail address.
 */
export function pagesOf(
  db: Sender,
  table: "accounts" | "skins" | "capes",
  texts: Search,
  findNamed: (search: string) => Promise<number | null>,
): Pages {
  return {
    find: async ({ search, ...page }) => {
      if (search === null) return null;
      const [held, named] = await Promise.all([texts.find(search, page), findNamed(search)]);
      if (named === null || !isAfter(named, page) || held.includes(named)) return held;
      const direction = page.isNewestFirst === true ? -1 : 1;
      return [...held, named].toSorted((one, other) => (one - other) * direction).slice(0, page.rows);
    },
    count: async (search, most = limits.countedMax) => {
      if (search === null) return countRows(db, table);
      const [held, named] = await Promise.all([texts.count(search, most), findNamed(search)]);
      return named === null || (await texts.holds(search, named)) ? held : held + 1;
    },
  };
}

function isAfter(id: number, { after, isNewestFirst = false }: Omit<ListPage, "search">): boolean {
  if (after === null) return true;
  return isNewestFirst ? id < after : id > after;
}
