import { and, desc, eq, gte, lte, or, sql, type SQL } from "drizzle-orm";
import { isSearchable, type ListPage } from "../../domain/model/list-page.ts";
import type { AuditFilter } from "../../domain/ports/audit-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { auditEntries } from "./schema.ts";
import { rowsHolding } from "./search.ts";

/** A search that finds no more than these is looked at entry by entry, whatever the filter is. */
const rareRows = 1000;

/** The audit under a filter, the newest entry first. Each filter has an index that ends with the time, so no page is sorted. */
export function filteredEntries(db: Db) {
  const { id, at } = auditEntries;
  return {
    list: ({ after, rows, search }: ListPage, filter: AuditFilter) => {
      const rare = search === null ? null : rareIds(db, search);
      // The plus sign keeps the planner from an index (SQLite, "Query Planning"): the numbers of rare entries are enough.
      const order = rare === null ? sql`${at} DESC` : sql`+${at} DESC`;
      return db
        .select()
        .from(auditEntries)
        .where(and(matches(filter, search, rare), after === null ? undefined : comesAfter(after)))
        .orderBy(order, desc(id))
        .limit(rows)
        .all();
    },
    count: (search: string | null, filter: AuditFilter, most: number): number => {
      const rare = search === null ? null : rareIds(db, search);
      const found = db
        .select({ id })
        .from(auditEntries)
        .where(matches(filter, search, rare))
        .limit(most);
      const counted = db
        .select({ rows: sql<number>`count(*)` })
        .from(sql`(${found})`)
        .get();
      return counted?.rows ?? 0;
    },
  };
}

/** Older than the entry with this number, or written before it in the same second. */
function comesAfter(entry: number): SQL {
  const time = sql`coalesce((SELECT at FROM ${auditEntries} WHERE id = ${entry}), ${Number.MAX_SAFE_INTEGER})`;
  return sql`(${auditEntries.at}, ${auditEntries.id}) < (${time}, ${entry})`;
}

/** The numbers of the entries that a search finds, if they are few; null when they are many, or the text is too short. */
function rareIds(db: Db, search: string): SQL | null {
  const ids = rowsHolding(db, "audit_search", search, {
    from: sql`true`,
    order: sql`rowid DESC`,
    rows: rareRows + 1,
  });
  if (ids === null || parseRowNumber(search) !== null) return null;
  const found = db
    .select({ rows: sql<number>`count(*)` })
    .from(ids)
    .get();
  return (found?.rows ?? 0) > rareRows ? null : ids;
}

function matches(filter: AuditFilter, search: string | null, rare: SQL | null): SQL | undefined {
  const { forAccountId, actorAccountId, issuer, action, at, id } = auditEntries;
  const unindexed = (column: typeof issuer | typeof action) => sql`+${column}`;
  // Those about an account are fewer than those by it, and these are fewer than those of an action.
  const isAbout = rare !== null || filter.forAccountId !== null;
  const isFound = isAbout || filter.actorAccountId !== null;
  const actor = isAbout ? sql`+${actorAccountId}` : sql`${actorAccountId}`;
  const named = isFound ? { issuer: unindexed(issuer), action: unindexed(action) } : { issuer, action };
  const time = rare === null ? sql`${at}` : sql`+${at}`;
  const account = rare === null ? sql`${forAccountId}` : sql`+${forAccountId}`;
  return and(
    rare === null ? undefined : sql`${id} IN ${rare}`,
    filter.forAccountId === null ? undefined : eq(account, filter.forAccountId),
    filter.actorAccountId === null ? undefined : eq(actor, filter.actorAccountId),
    filter.issuer === null ? undefined : eq(sql`${named.issuer}`, filter.issuer),
    filter.action === null ? undefined : eq(sql`${named.action}`, filter.action),
    filter.since === null ? undefined : gte(time, filter.since),
    filter.until === null ? undefined : lte(time, filter.until),
    search === null || rare !== null ? undefined : holds(search),
  );
}

/** What the search finds without its index, by the same rule. */
function holds(search: string): SQL | undefined {
  const { issuer, action, forAccountId } = auditEntries;
  const number = parseRowNumber(search);
  const text = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const part = (column: typeof issuer | typeof action) => sql`${column} LIKE ${text} ESCAPE '\\'`;
  return or(
    isSearchable(search) ? or(part(issuer), part(action)) : undefined,
    number === null ? undefined : sql`+${forAccountId} = ${number}`,
    sql`false`,
  );
}
