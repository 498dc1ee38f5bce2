import { and, asc, desc, getTableColumns, gt, lt, lte, sql } from "drizzle-orm";
import type { AuditReads, AuditStore } from "../../domain/ports/audit-store.ts";
import { chainVersion } from "../../domain/model/audit-chain.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { toAuditPerson, toRecordedEntry } from "../sql/row-values.ts";
import { filteredEntries } from "./audit-filter.ts";
import { countRows } from "./counts.ts";
import { accounts, players } from "../sql/schema/member.ts";
import { auditEntries } from "../sql/schema/record.ts";
import { searchOf } from "./search.ts";
import type { Sender } from "../sql/sender.ts";
import { build, first, statement } from "../sql/statement.ts";
import type { Touch } from "./touch.ts";

const columns = getTableColumns(auditEntries);
const { id } = columns;
const rows = sql.placeholder("rows");
const before = sql.placeholder("before");
const entries = () => build.select(columns).from(auditEntries).$dynamic();

const listBefore = statement(entries().where(lt(id, before)).orderBy(desc(id)).limit(rows), columns);
const listFound = statement(
  entries()
    .where(sql`${id} = ANY(${sql.placeholder("ids")}::bigint[])`)
    .orderBy(desc(id))
    .limit(rows),
  columns,
);
const chain = statement(
  entries()
    // A number beyond what a double holds is no entry of ours, and would be read in an endless loop.
    .where(and(gt(id, sql.placeholder("after")), lte(id, Number.MAX_SAFE_INTEGER)))
    .orderBy(asc(id))
    .limit(rows),
  columns,
);
const isAbout = sql`for_account_id = ${sql.placeholder("account")}`;
const listAbout = statement(
  sql`SELECT id FROM audit_entries WHERE ${isAbout} AND id < ${before} ORDER BY id DESC LIMIT ${rows}`,
  { id },
);
const newest = statement(sql`SELECT entry_id FROM audit_head WHERE id = 1`, { id: Number });

/** The deletion is among an account's last entries, so a few are looked at. */
const lastEntries = 50;
const people = statement(
  sql`
    SELECT asked.id, accounts.id, players.name, accounts.mail,
      CASE WHEN accounts.id IS NULL THEN (
        SELECT detail FROM (
          SELECT action, detail FROM audit_entries WHERE for_account_id = asked.id
          ORDER BY audit_entries.id DESC LIMIT ${sql.raw(String(lastEntries))}) AS latest
        WHERE action = 'user.delete' LIMIT 1) END
    FROM unnest(${sql.placeholder("ids")}::bigint[]) AS asked (id)
    LEFT JOIN accounts ON accounts.id = asked.id
    LEFT JOIN players ON players.id = accounts.main_player_id`,
  {
    id: Number,
    found: accounts.id,
    playerName: players.name,
    mail: accounts.mail,
    deletion: auditEntries.detail,
  },
);

export function auditReads(db: Sender): AuditReads {
  const search = searchOf(db, "audit");
  const filtered = filteredEntries(db);

  /** The numbers before this one that a search finds, `most` at most, and perhaps some more. */
  const find = async (text: string, before: number, most: number): Promise<ReadonlySet<number>> => {
    const account = parseRowNumber(text);
    const [held, about] = await Promise.all([
      search.find(text, { after: before, rows: most, isNewestFirst: true }),
      account === null ? [] : listAbout(db, { account, before, rows: most }),
    ]);
    return new Set([...held, ...about.map((row) => row.id)]);
  };
  return {
    listEntries: async (page, filter) => {
      const { after, rows, search: text } = page;
      if (filter !== undefined) return (await filtered.list(page, filter)).map(toRecordedEntry);
      const before = after ?? Number.MAX_SAFE_INTEGER;
      if (text === null) return (await listBefore(db, { before, rows })).map(toRecordedEntry);
      const ids = [...(await find(text, before, rows))];
      return ids.length === 0 ? [] : (await listFound(db, { ids, rows })).map(toRecordedEntry);
    },
    countEntries: async (text, most = limits.countedMax, filter) => {
      if (filter !== undefined) return filtered.count(text, filter, most);
      if (text === null) return countRows(db, "audit_entries");
      if (parseRowNumber(text) === null) return search.count(text, most);
      const ids = await find(text, Number.MAX_SAFE_INTEGER, most);
      return Math.min(ids.size, most);
    },
    readChain: (after, rows) => chain(db, { after, rows }),
    listChained: (page, filter) => filtered.list(page, filter),
    listPeople: async (ids) =>
      ids.length === 0 ? [] : (await people(db, { ids: [...new Set(ids)] })).map(toAuditPerson),
    countWritten: async () => first(await newest(db))?.id ?? 0,
  };
}

/** Entries are written with what else the transaction touched, so they are not read by it. */
export function auditStore(db: Sender, touch: Touch): AuditStore {
  return {
    ...auditReads(db),
    append: async ({ actor, forAccountId, detail, ...entry }) => {
      touch.record({
        ...entry,
        issuer: actor.name,
        actorAccountId: actor.accountId,
        actorVia: actor.via,
        version: chainVersion,
        forAccountId: forAccountId ?? 0,
        detail: JSON.stringify(detail),
      });
    },
  };
}
