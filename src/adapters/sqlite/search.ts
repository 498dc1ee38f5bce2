import { sql, type SQL } from "drizzle-orm";
import { isIndexed, isSearchable, type ListPage } from "../../domain/model/list-page.ts";
import { limits } from "../../kernel/limits.ts";
import type { Search, Searches } from "../sql/search.ts";
import { auditEntries } from "../sql/schema/record.ts";
import type { Sender } from "../sql/sender.ts";
import { first, statement } from "../sql/statement.ts";
import { holdsText, holdsWord, type SearchTable } from "./search-text.ts";

/**
 * Where no index helps, as many texts are looked at in the order of the list and no more: some 40 ms. What
 * lies beyond is not found.
 */
const scannedTexts = 100_000;

/**
 * The numbers of the rows that contain the text, ignoring case: a subquery for `IN`. It is cut to one page,
 * so that a frequent text costs no more than a rare one. Null when the text is too short to search for.
 */
async function rowsHolding(
  db: Sender,
  table: SearchTable,
  search: string,
  page: { readonly from: SQL; readonly order: SQL; readonly rows: number },
): Promise<SQL | null> {
  const name = sql.identifier(table);
  if (!isIndexed(search)) {
    if (!isSearchable(search)) return null;
    // SQLite hands the rows of the inner query on in its order, and reads no further than the page is long.
    const scanned = sql`(SELECT rowid, * FROM ${name} WHERE ${page.from} ORDER BY ${page.order} LIMIT ${scannedTexts})`;
    return sql`(SELECT rowid FROM ${scanned} WHERE ${holdsWord(table, search)} LIMIT ${page.rows})`;
  }
  const isHeld = await holdsText(db, table, search);
  return sql`(SELECT rowid FROM ${name} WHERE ${isHeld} AND ${page.from} ORDER BY ${page.order} LIMIT ${page.rows})`;
}

const tables = {
  user: "users_search",
  skin: "skins_search",
  cape: "capes_search",
  audit: "audit_search",
} as const satisfies Readonly<Record<Parameters<Searches["of"]>[0], SearchTable>>;

/** What SQLite finds by texts. */
export function searchesOf(db: Sender): Searches {
  return {
    of: (kind) => searchOf(db, tables[kind]),
    heldByEntry: (search) => {
      const { actorName, action } = auditEntries;
      const text = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
      return sql`(${actorName} LIKE ${text} ESCAPE '\\' OR ${action} LIKE ${text} ESCAPE '\\')`;
    },
  };
}

function searchOf(db: Sender, table: SearchTable): Search {
  const list = async (search: string, cut: Parameters<typeof rowsHolding>[3]) => {
    const held = await rowsHolding(db, table, search, cut);
    return held === null ? [] : statement(sql`SELECT rowid FROM ${held}`, { id: Number })(db);
  };
  return {
    find: async (search, page) => {
      const found = await list(search, { from: isAfter(page), order: inOrder(page), rows: page.rows });
      return found.map(({ id }) => id);
    },
    count: async (search, most = limits.countedMax) => {
      const held = await rowsHolding(db, table, search, { from: sql`true`, order: sql`rowid`, rows: most });
      if (held === null) return 0;
      return first(await statement(sql`SELECT count(*) FROM ${held}`, { rows: Number })(db))?.rows ?? 0;
    },
    holds: async (search, id) => {
      const found = await list(search, { from: sql`rowid = ${id}`, order: sql`rowid`, rows: 1 });
      return found.length > 0;
    },
  };
}

/** The condition for the rows that come after the last one seen. */
function isAfter({ after, isNewestFirst = false }: Omit<ListPage, "search">): SQL {
  return isNewestFirst ? sql`rowid < ${after ?? Number.MAX_SAFE_INTEGER}` : sql`rowid > ${after ?? 0}`;
}

function inOrder({ isNewestFirst = false }: Omit<ListPage, "search">): SQL {
  return isNewestFirst ? sql`rowid DESC` : sql`rowid`;
}
