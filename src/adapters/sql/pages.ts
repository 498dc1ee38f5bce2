import { sql } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";
import { parseRowNumber, parseUuid } from "../../kernel/ids.ts";
import type { Sender } from "./sender.ts";
import { first, statement } from "./statement.ts";

/** Pages of a long table by number. A search finds the row that it names and the rows that hold it, by the index of the engine. */
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
