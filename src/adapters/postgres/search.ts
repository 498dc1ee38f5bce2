import { sql, type SQL } from "drizzle-orm";
import { isSearchable } from "../../domain/model/list-page.ts";
import { foldForSearch } from "../../domain/model/search-fold.ts";
import { limits } from "../../kernel/limits.ts";
import type { Sender } from "../sql/sender.ts";
import { searchTexts } from "./schema/own.ts";
import { trigramName, trigramSchema } from "./search-index.ts";
import type { Search, Searches } from "../sql/search.ts";
import { auditEntries } from "../sql/schema/record.ts";
import { first, statement } from "../sql/statement.ts";

export type SearchKind = typeof searchTexts.$inferSelect.kind;

/**
 * The texts that are looked at in the order of the list, before the index is asked or in its place: some 2
 * ms. A frequent text fills its page from them; the index would return every row that has it.
 */
const firstTexts = 2_000;
/** Where no index helps, as many are looked at and no more: some 200 ms. What lies beyond is not found. */
const scannedTexts = 250_000;
/** If a smaller share of the first texts holds it, the index counts faster than reading on. */
const frequentShare = 0.1;

/** Lines of texts in the form in which they are searched: a search text never has a line break. */
export function searchText(lines: readonly (string | null)[]): string {
  return lines
    .filter((line) => line !== null)
    .map(foldForSearch)
    .join("\n");
}

/** What PostgreSQL finds by texts. */
export function searchesOf(db: Sender): Searches {
  return {
    of: (kind) => searchOf(db, kind),
    heldByEntry: (search) => sql`EXISTS (
      SELECT 1 FROM search_texts
      WHERE kind = 'audit' AND search_texts.id = ${auditEntries.id} AND text LIKE ${patternOf(search)})`,
  };
}

function searchOf(db: Sender, kind: SearchKind): Search {
  const asked = searches[kind];
  const hasIndex = indexFinder(db);

  return {
    find: async (search, { after, isNewestFirst = false, rows }) => {
      const pattern = patternOf(search);
      if (pattern === null) return [];
      const { some, all } = isNewestFirst ? asked.newest : asked.oldest;
      const isIndexed = await hasIndex(search);
      const from = { pattern, after: after ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0), rows };
      const scanned = isIndexed ? firstTexts : scannedTexts;
      const found = await some(db, { ...from, scanned });
      const isEnough = found.length >= rows || !isIndexed;
      return (isEnough ? found : await all(db, from)).map(({ id }) => id);
    },
    count: async (search, most = limits.countedMax) => {
      const pattern = patternOf(search);
      if (pattern === null) return 0;
      const countSome = async (scanned: number) =>
        first(await asked.countSome(db, { pattern, scanned, most }))?.found ?? 0;
      if (!(await hasIndex(search))) return countSome(scannedTexts);
      const found = await countSome(firstTexts);
      // The index counts what is rare, and reading on what is frequent, or what few texts there are.
      return found < firstTexts * frequentShare
        ? (first(await asked.countAll(db, { pattern, most }))?.found ?? 0)
        : countSome(Math.ceil(most / frequentShare));
    },
    holds: async (search, id) => {
      const pattern = patternOf(search);
      return pattern !== null && (await holding(db, { kind, id, pattern })).length > 0;
    },
  };
}

const holding = statement(
  sql`
    SELECT id FROM search_texts
    WHERE kind = ${sql.placeholder("kind")} AND id = ${sql.placeholder("id")} AND text LIKE ${sql.placeholder("pattern")}`,
  { id: searchTexts.id },
);

/** What a text that holds the search is like; null when it is too short to search for. */
function patternOf(search: string): string | null {
  if (!isSearchable(search)) return null;
  return `%${foldForSearch(search).replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/**
 * Whether the index helps to find a text: it knows sequences of three letters or digits. What lies outside
 * ASCII is a letter to it only if the database's locale says so.
 */
function indexFinder(db: Sender): (search: string) => Promise<boolean> {
  let known: Promise<{ readonly isThere: boolean; readonly knowsLetters: boolean }> | undefined;
  const look = async () => {
    const [row] = await hasIndexes(db);
    if (row?.isThere !== true) return { isThere: false, knowsLetters: false };
    return { isThere: true, knowsLetters: await knowsLetters(db) };
  };
  return async (search) => {
    known ??= look();
    // A fault is not remembered.
    const { isThere, knowsLetters: all } = await known.catch((cause: unknown) => {
      known = undefined;
      throw cause;
    });
    return isThere && (all ? /[\p{L}\p{N}]{3}/u : /[a-z0-9]{3}/i).test(search);
  };
}

const hasIndexes = statement(sql`SELECT to_regclass('search_texts_user') IS NOT NULL`, { isThere: Boolean });

async function knowsLetters(db: Sender): Promise<boolean> {
  const schema = await trigramSchema(db);
  if (schema?.isOpen === false) return false;
  const [row] = await db.send(
    `SELECT cardinality(${trigramName(schema, "show_trgm")}('äöüжшд你好吗')) > 6`,
    [],
  );
  return row?.[0] === true;
}

/**
 * The statements of a kind. The kind is part of their texts, for the sake of its own index. In each only one
 * way leads to the rows, so that a plan that was made for frequent texts cannot be used for rare ones.
 */
function statementsOf(kind: SearchKind) {
  const ofKind = sql.raw(`kind = '${kind}'`);
  const held = sql`text LIKE ${sql.placeholder("pattern")}`;
  const number = { id: searchTexts.id };
  const pages = (comes: SQL, order: SQL) => ({
    some: statement(
      sql`
        SELECT id FROM (
          SELECT id, text FROM search_texts WHERE ${ofKind} AND id ${comes} ${sql.placeholder("after")}
          ORDER BY id ${order} LIMIT ${sql.placeholder("scanned")}) AS texts
        WHERE ${held} ORDER BY id ${order} LIMIT ${sql.placeholder("rows")}`,
      number,
    ),
    // No index is in the order of a sum.
    all: statement(
      sql`
        SELECT id FROM search_texts WHERE ${ofKind} AND ${held} AND id + 0 ${comes} ${sql.placeholder("after")}
        ORDER BY id + 0 ${order} LIMIT ${sql.placeholder("rows")}`,
      number,
    ),
  });
  return {
    oldest: pages(sql`>`, sql`ASC`),
    newest: pages(sql`<`, sql`DESC`),
    countSome: statement(
      sql`
        SELECT count(*) FROM (
          SELECT 1 FROM (
            SELECT text FROM search_texts WHERE ${ofKind} ORDER BY id LIMIT ${sql.placeholder("scanned")}) AS texts
          WHERE ${held} LIMIT ${sql.placeholder("most")}) AS found`,
      { found: Number },
    ),
    countAll: statement(
      sql`
        SELECT count(*) FROM (
          SELECT id FROM search_texts WHERE ${ofKind} AND ${held}
          ORDER BY id + 0 LIMIT ${sql.placeholder("most")}) AS texts`,
      { found: Number },
    ),
  };
}

const searches: Readonly<Record<SearchKind, ReturnType<typeof statementsOf>>> = {
  user: statementsOf("user"),
  skin: statementsOf("skin"),
  cape: statementsOf("cape"),
  audit: statementsOf("audit"),
};
