import { refuseShortSearch, searchPattern, type ListPage } from "../domain/model/list-page.ts";
import { AppError } from "../kernel/errors.ts";
import { parseRowNumber, rowNumberMax } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import type { Answer } from "./openapi/describe.ts";
import { examples } from "./openapi/examples.ts";
import { t } from "./routing/schema.ts";
import { rules } from "./rules.ts";

/**
 * Long lists come in pages (docs/contract/answers.md#lists): `data` is a bare array, and headers hold the
 * count and the next page.
 */

const limitRule = rules.wholeFrom.of(1, limits.pageRowsMax);
const orderRule = rules.oneOf.of("oldest or newest");
const countRule = rules.wholeFrom.of(1, limits.countedMax);

/** The query of a list that is not searched. */
export const placeQuery = t.Object({
  // Texts, because the framework's own coercion takes "1e2" and " 100" for integers.
  limit: t.Optional(
    t.String({
      description: "Rows of the page",
      rule: limitRule,
      documented: {
        type: "integer",
        minimum: 1,
        maximum: limits.pageRowsMax,
        default: limits.pageRowsMax,
      },
    }),
  ),
  after: t.Optional(
    t.String({
      description: "The id of the last row seen: the page begins after it",
      rule: rules.rowId.of(),
      documented: { type: "integer", minimum: 0, maximum: rowNumberMax, examples: [1017] },
    }),
  ),
});

export const pageQuery = t.Object({
  ...placeQuery.properties,
  q: t.Optional(
    t.String({
      description:
        "The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username",
      rule: rules.oneText.of(),
      shape: "search",
      field: "search",
      examples: ["ann"],
    }),
  ),
  count: t.Optional(
    t.String({
      description:
        "How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner",
      rule: countRule,
      documented: {
        type: "integer",
        minimum: 1,
        maximum: limits.countedMax,
        default: limits.countedMax,
      },
    }),
  ),
});

/** A list that may begin with its newest row. */
export const listQuery = t.Object({
  ...pageQuery.properties,
  order: t.Optional(
    t.String({
      description: "`newest`: the highest id comes first",
      rule: orderRule,
      documented: { type: "string", enum: ["oldest", "newest"], default: "oldest" },
    }),
  ),
});

/** A page of a list, for the API's document. */
export const pageAnswer: Readonly<Record<number, Answer>> = { 200: { headers: ["X-Total-Count", "Link"] } };

/** The header that names the next page (RFC 8288). */
export function linkToNext(address: string, query: Readonly<Record<string, string>>): string {
  return `<${address}?${new URLSearchParams(query).toString()}>; rel="next"`;
}

type PageQuery = typeof placeQuery.static & {
  readonly q?: string;
  readonly count?: string;
  readonly order?: string;
};

/** The page that a query asks for. Fails with invalid, naming the parameter and the rule. */
function readPage(query: PageQuery): ListPage {
  const rows = readLimit(query.limit);
  const { order = "oldest" } = query;
  if (order !== "oldest" && order !== "newest") throw new AppError(orderRule, { field: "order" });
  const isNewestFirst = order === "newest";
  return { rows, after: readAfter(query.after), search: readSearch(query.q), isNewestFirst };
}

/** What is searched for; null: everything. Fails with invalid, naming the rule. */
export function readSearch(text = ""): string | null {
  const search = text.trim();
  if (!searchPattern.test(search)) throw rules.noControls({ field: "q" });
  if (search.length > limits.identifierLengthMax) {
    throw rules.charactersMax(limits.identifierLengthMax, { field: "q" });
  }
  return search === "" ? null : search;
}

/** How many rows a page has at most. Fails with invalid, naming the rule. */
export function readLimit(text: string | undefined): number {
  const rows = text === undefined ? limits.pageRowsMax : parseRowNumber(text);
  if (rows === null || rows > limits.pageRowsMax) throw new AppError(limitRule, { field: "limit" });
  return rows;
}

/** How far the rows that a search or filter finds are counted. Fails with invalid, naming the rule. */
function readCount(text: string | undefined): number {
  const most = text === undefined ? limits.countedMax : parseRowNumber(text);
  if (most === null || most > limits.countedMax) throw new AppError(countRule, { field: "count" });
  return most;
}

function readAfter(text: string | undefined): number | null {
  if (text === undefined || text === "0") return null;
  const after = parseRowNumber(text);
  if (after === null) throw rules.rowId({ field: "after" });
  return after;
}

/** A route of a list, as far as it is read here. */
type PageContext = {
  readonly query: PageQuery;
  readonly set: { readonly headers: Record<string, string | number | string[]> };
  readonly route: string;
};

/**
 * Reads the rows of the page that a request asks for, and sets the headers that describe the rest:
 * `X-Total-Count`, and `Link` with the address of the next page (RFC 8288), which repeats the parameters in
 * `kept`. It reads one row more than the page has, to know whether another page follows. Fails with invalid
 * for a bad query and for a search that is too short.
 */
export async function readRows<Row extends { readonly id: number }>(
  list: {
    readonly rows: (page: ListPage) => Promise<readonly Row[]>;
    /** How many rows there are in all; those that a search or filter finds are counted up to `most`. */
    readonly count: (search: string | null, most: number) => Promise<number>;
  },
  { query, set: { headers }, route }: PageContext,
  kept: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const page = readPage(query);
  const found = await list.rows({ ...page, rows: page.rows + 1 });
  const read = { ...page, isFirst: page.after === null, placeOf: ({ id }: Row) => String(id) };
  return answerPage(found, { ...read, count: list.count, kept }, { query, set: { headers }, route });
}

/** A page as it was read: one row more than it has, if there is one. */
type ReadPage<Row> = {
  readonly rows: number;
  readonly search: string | null;
  readonly isFirst: boolean;
  /** The `after` of the page that follows this row. */
  readonly placeOf: (row: Row) => string;
  readonly count: (search: string | null, most: number) => Promise<number>;
  readonly kept?: Readonly<Record<string, string>>;
};

/** The rows of a page; sets the headers as `readRows` does. */
export async function answerPage<Row>(
  found: readonly Row[],
  { kept = {}, ...page }: ReadPage<Row>,
  { query, set: { headers }, route }: PageContext,
): Promise<readonly Row[]> {
  const most = readCount(query.count);
  const isLast = found.length <= page.rows;
  const isComplete = isLast && page.isFirst;
  const rows = found.slice(0, page.rows);
  const isChosen = page.search !== null || Object.keys(kept).length > 0;
  const known = isChosen ? Math.min(rows.length, most) : rows.length;
  const count = isComplete ? known : await page.count(page.search, most);
  refuseShortSearch("search", page.search, count);
  headers["x-total-count"] = String(count);
  const last = rows.at(-1);
  if (isLast || last === undefined) return rows;
  headers["link"] = linkToNext(route, {
    ...kept,
    limit: String(page.rows),
    after: page.placeOf(last),
    ...(page.search === null ? {} : { q: page.search }),
    ...(query.count === undefined ? {} : { count: query.count }),
    ...(query.order === undefined ? {} : { order: query.order }),
  });
  return rows;
}

/** The query of a short list whose rows have UUIDs for ids. */
export const uuidPlaceQuery = t.Object({
  limit: placeQuery.properties.limit,
  after: t.Optional(
    t.String({
      description: "The id of the last row seen: the page begins after it",
      rule: rules.listedRow.of(),
      documented: { type: "string", format: "uuid", examples: [examples.session] },
    }),
  ),
});

/**
 * The page that a request asks for, of a short list that was read as a whole; sets the headers as `readRows`
 * does. `path` is the address of the list. Fails with invalid for a bad query, and for an id that is not in
 * the list (any more).
 */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  {
    query,
    set: { headers },
    path,
  }: Pick<PageContext, "set"> & { readonly query: typeof uuidPlaceQuery.static; readonly path: string },
): readonly Row[] {
  const most = readLimit(query.limit);
  const before = query.after === undefined ? -1 : rows.findIndex(({ id }) => id === query.after);
  if (query.after !== undefined && before < 0) {
    throw rules.lostRow({ field: "after" });
  }
  const page = rows.slice(before + 1, before + 1 + most);
  headers["x-total-count"] = String(rows.length);
  const last = page.at(-1);
  if (last !== undefined && last !== rows.at(-1))
    headers["link"] = linkToNext(path, { limit: String(most), after: last.id });
  return page;
}
