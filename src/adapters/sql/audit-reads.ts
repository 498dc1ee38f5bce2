import { and, asc, desc, getTableColumns, gt, lt, lte, sql } from "drizzle-orm";
import type { AuditReads } from "../../domain/ports/audit-store.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { filteredEntries } from "./audit-filter.ts";
import { isIn, rowsIn, spell } from "./dialect.ts";
import { countRows } from "./row-counts.ts";
import { toAuditPerson, toRecordedEntry } from "./rows.ts";
import { accounts, players } from "./schema/member.ts";
import { auditEntries } from "./schema/record.ts";
import type { Searches } from "./search.ts";
import type { Sender } from "./sender.ts";
import { build, first, statement } from "./statement.ts";

const columns = getTableColumns(auditEntries);
const { id } = columns;
const rows = sql.placeholder("rows");
const before = sql.placeholder("before");
const ids = sql.placeholder("ids");
const entries = () => build.select(columns).from(auditEntries).$dynamic();

const listBefore = statement(entries().where(lt(id, before)).orderBy(desc(id)).limit(rows), columns);
const listFound = statement(
  entries()
    .where(isIn(id, ids, "bigint"))
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
/** The highest number that an entry ever had. */
const newest = statement(
  spell({
    postgres: sql`SELECT entry_id FROM audit_head WHERE id = 1`,
    sqlite: sql`SELECT seq FROM sqlite_sequence WHERE name = 'audit_entries'`,
  }),
  { id: Number },
);

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
    FROM (SELECT CAST(value AS bigint) AS id FROM ${rowsIn(ids, "texts")}) AS asked
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

export function auditReads(db: Sender, searches: Searches): AuditReads {
  const search = searches.of("audit");
  const filtered = filteredEntries(db, searches);

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
      ids.length === 0 ? [] : (await people(db, { ids: [...new Set(ids)].map(String) })).map(toAuditPerson),
    countWritten: async () => first(await newest(db))?.id ?? 0,
  };
}
