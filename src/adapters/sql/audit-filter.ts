import { and, desc, eq, getTableColumns, gte, lte, or, sql, type Column, type SQL } from "drizzle-orm";
import { isSearchable, type ListPage } from "../../domain/model/list-page.ts";
import type { AuditFilter } from "../../domain/ports/audit-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { isIn, unindexed } from "./dialect.ts";
import { auditEntries } from "./schema/record.ts";
import type { Searches } from "./search.ts";
import type { Sender } from "./sender.ts";
import { build, first, mayBeKept, statement } from "./statement.ts";

/** A search that finds no more than these is looked at entry by entry, whatever the filter is. */
const rareRows = 1000;

const columns = getTableColumns(auditEntries);

/** The numbers of the entries that a search finds; null when they are many, or the text is too short. */
type Rare = readonly number[] | null;

/**
 * The audit under a filter, the newest entry first. Each filter has an index that ends with the time, so no
 * page is sorted.
 */
export function filteredEntries(db: Sender, searches: Searches) {
  const search = searches.of("audit");
  const findRare = async (text: string | null): Promise<Rare> => {
    if (text === null || parseRowNumber(text) !== null || !isSearchable(text)) return null;
    const ids = await search.find(text, { after: null, rows: rareRows + 1, isNewestFirst: true });
    return ids.length > rareRows ? null : ids;
  };
  const wantedBy = async (filter: AuditFilter, text: string | null) => {
    const rare = await findRare(text);
    const held = text === null || rare !== null ? undefined : holds(searches, text);
    return { rare, wanted: and(matches(filter, rare), held) };
  };

  return {
    list: async ({ after, rows, search: text }: ListPage, filter: AuditFilter) => {
      if (!mayMatch(filter)) return [];
      const { rare, wanted } = await wantedBy(filter, text);
      const at = rare === null ? auditEntries.at : unindexed(auditEntries.at);
      const page = build
        .select(columns)
        .from(auditEntries)
        .where(and(wanted, after === null ? undefined : comesAfter(after)))
        .orderBy(desc(at), desc(auditEntries.id))
        .limit(rows);
      return statement(page, columns)(db);
    },
    count: async (text: string | null, filter: AuditFilter, most: number): Promise<number> => {
      if (!mayMatch(filter)) return 0;
      const { wanted = sql`true` } = await wantedBy(filter, text);
      const found = sql`SELECT id FROM audit_entries WHERE ${wanted} LIMIT ${most}`;
      const counted = statement(sql`SELECT count(*) FROM (${found}) AS found`, { rows: Number });
      return first(await counted(db))?.rows ?? 0;
    },
  };
}

function mayMatch({ actor, action }: AuditFilter): boolean {
  return mayBeKept(actor ?? "") && mayBeKept(action ?? "");
}

/** Older than the entry with this number, or written before it in the same second. */
function comesAfter(entry: number): SQL {
  const number = sql`CAST(${entry} AS bigint)`;
  const time = sql`coalesce((SELECT at FROM audit_entries WHERE id = ${number}), CAST(${Number.MAX_SAFE_INTEGER} AS bigint))`;
  return sql`(${auditEntries.at}, ${auditEntries.id}) < (${time}, ${number})`;
}

const unless = (isKnown: boolean, column: Column) => (isKnown ? unindexed(column) : sql`${column}`);
const is = (value: string | number | null, cell: SQL) => (value === null ? undefined : eq(cell, value));

/** Entries about an account are fewer than those by it, and these are fewer than those of an action. */
function matches(filter: AuditFilter, rare: Rare): SQL | undefined {
  const { forAccountId, actorAccountId, actorName, action, at, id } = auditEntries;
  const isAbout = rare !== null || filter.forAccountId !== null;
  const isFound = isAbout || filter.actorAccountId !== null;
  const time = unless(rare !== null, at);
  return and(
    rare === null ? undefined : isIn(id, rare, "bigint"),
    is(filter.forAccountId, unless(rare !== null, forAccountId)),
    is(filter.actorAccountId, unless(isAbout, actorAccountId)),
    is(filter.actor, unless(isFound, actorName)),
    is(filter.action, unless(isFound, action)),
    filter.since === null ? undefined : gte(time, filter.since),
    filter.until === null ? undefined : lte(time, filter.until),
  );
}

/** What the search finds without its index, by the same rule. */
function holds(searches: Searches, text: string): SQL | undefined {
  const number = parseRowNumber(text);
  return or(
    isSearchable(text) ? searches.heldByEntry(text) : undefined,
    number === null ? undefined : eq(unindexed(auditEntries.forAccountId), sql`CAST(${number} AS bigint)`),
    sql`false`,
  );
}
