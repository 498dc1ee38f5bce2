import type { ListPage } from "../../domain/model/list-page.ts";
import { limits } from "../../kernel/limits.ts";
import { countRows, type Counted } from "./counts.ts";
import { idFinder, type Pages } from "../sql/pages.ts";
import { searchOf } from "./search.ts";
import type { TexturePages } from "../sql/texture-store.ts";
import type { Sender } from "../sql/sender.ts";

const kinds = { accounts: "user", skins: "skin", capes: "cape" } as const;

/** `findNamed` returns the number of the row that a search names: by its number, uuid, name or mail address. */
export function pagesOf(
  db: Sender,
  table: Counted & keyof typeof kinds,
  findNamed: (search: string) => Promise<number | null>,
): Pages {
  const texts = searchOf(db, kinds[table]);

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

/** The lists of skins and capes that searches look through. */
export function texturePages(db: Sender): TexturePages {
  return {
    skins: pagesOf(db, "skins", idFinder(db, "skins")),
    capes: pagesOf(db, "capes", idFinder(db, "capes")),
  };
}
