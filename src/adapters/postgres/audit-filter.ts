import { and, desc, eq, getTableColumns, gte, lte, or, sql, type SQL } from "drizzle-orm";
import type { ListPage } from "../../domain/model/list-page.ts";
import type { AuditFilter } from "../../domain/ports/audit-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { auditEntries } from "../sql/schema/record.ts";
import { patternOf, searchOf } from "./search.ts";
import type { Sender } from "../sql/sender.ts";
import { build, first, mayBeKept, statement } from "../sql/statement.ts";

/** A search that finds no more than these is looked at entry by entry, whatever the filter is. */
const rareRows = 1000;

const columns = getTableColumns(auditEntries);

/** The audit under a filter, the newest entry first. Each filter has an index that ends with the time, so no page is sorted. */
export function filteredEntries(db: Sender) {
  const search = searchOf(db, "audit");
  /** The numbers of the entries that a search finds, if they are few; null when they are many, or the text is too short. */
  const findRare = async (text: string | null): Promise<readonly number[] | null> => {
    if (text === null || parseRowNumber(text) !== null || patternOf(text) === null) return null;
    const ids = await search.find(text, { after: null, rows: rareRows + 1, isNewestFirst: true });
    return ids.length > rareRows ? null : ids;
  };

  return {
    list: async ({ after, rows, search: text }: ListPage, filter: AuditFilter) => {
      if (!mayMatch(filter)) return [];
      const wanted = matches(filter, text, await findRare(text));
      const page = build
        .select(columns)
        .from(auditEntries)
        .where(and(wanted, after === null ? undefined : comesAfter(after)))
        .orderBy(desc(auditEntries.at), desc(auditEntries.id))
        .limit(rows);
      return statement(page, columns)(db);
    },
    count: async (text: string | null, filter: AuditFilter, most: number): Promise<number> => {
      if (!mayMatch(filter)) return 0;
      const wanted = matches(filter, text, await findRare(text)) ?? sql`true`;
      const counted = sql`SELECT count(*) FROM (SELECT 1 FROM audit_entries WHERE ${wanted} LIMIT ${most}::bigint) AS found`;
      return first(await statement(counted, { rows: Number })(db))?.rows ?? 0;
    },
  };
}

function mayMatch({ issuer, action }: AuditFilter): boolean {
  return mayBeKept(issuer ?? "") && mayBeKept(action ?? "");
}

/** Older than the entry with this number, or written before it in the same second. */
function comesAfter(entry: number): SQL {
  const time = sql`coalesce((SELECT at FROM audit_entries WHERE id = ${entry}::bigint), ${Number.MAX_SAFE_INTEGER}::bigint)`;
  return sql`(${auditEntries.at}, ${auditEntries.id}) < (${time}, ${entry}::bigint)`;
}

function matches(
  filter: AuditFilter,
  search: string | null,
  rare: readonly number[] | null,
): SQL | undefined {
  const { forAccountId, actorAccountId, issuer, action, at, id } = auditEntries;
  return and(
    rare === null ? undefined : sql`${id} = ANY(${sql.param(rare)}::bigint[])`,
    filter.forAccountId === null ? undefined : eq(forAccountId, filter.forAccountId),
    filter.actorAccountId === null ? undefined : eq(actorAccountId, filter.actorAccountId),
    filter.issuer === null ? undefined : eq(issuer, filter.issuer),
    filter.action === null ? undefined : eq(action, filter.action),
    filter.since === null ? undefined : gte(at, filter.since),
    filter.until === null ? undefined : lte(at, filter.until),
    search === null || rare !== null ? undefined : holds(search),
  );
}

/** What the search finds without its index, by the same rule. */
function holds(search: string): SQL | undefined {
  const number = parseRowNumber(search);
  const pattern = patternOf(search);
  const isHeld = sql`EXISTS (
    SELECT 1 FROM search_texts WHERE kind = 'audit' AND search_texts.id = ${auditEntries.id} AND text LIKE ${pattern})`;
  return or(
    pattern === null ? undefined : isHeld,
    number === null ? undefined : sql`${auditEntries.forAccountId} = ${number}::bigint`,
    sql`false`,
  );
}
