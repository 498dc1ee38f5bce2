import { and, asc, desc, gt, inArray, lt, lte, sql, type SQL } from "drizzle-orm";
import type { AuditPerson, AuditReads, AuditStore } from "../../domain/ports/audit-store.ts";
import { chainVersion, hashOfEntry } from "../../domain/model/audit-chain.ts";
import { parseRowNumber } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { toAuditPerson, toRecordedEntry, type AuditPersonRow } from "../sql/row-values.ts";
import type { Db } from "./open.ts";
import { auditEntries } from "./schema.ts";
import { filteredEntries } from "./audit-filter.ts";
import { rowCounter, rowsHolding } from "./search.ts";

export function auditReads(db: Db): AuditReads {
  const { id } = auditEntries;
  const rows = sql.placeholder("rows");
  const wholePage = db
    .select()
    .from(auditEntries)
    .where(lt(id, sql.placeholder("before")))
    .orderBy(desc(id))
    .limit(rows)
    .prepare();
  const chain = db
    .select()
    .from(auditEntries)
    // A number beyond what a double holds is no entry of ours, and would be read in an endless loop.
    .where(and(gt(id, sql.placeholder("after")), lte(id, Number.MAX_SAFE_INTEGER)))
    .orderBy(asc(id))
    .limit(rows)
    .prepare();

  const count = rowCounter(db);
  const filtered = filteredEntries(db);
  const written = writtenCounter(db);
  const people = peopleLister(db);

  return {
    listChained: async (page, filter) => filtered.list(page, filter),
    listPeople: async (ids) => people(ids),
    listEntries: async (page, filter) => {
      const { after, rows, search } = page;
      if (filter !== undefined) return filtered.list(page, filter).map(toRecordedEntry);
      const before = after ?? Number.MAX_SAFE_INTEGER;
      if (search === null) return wholePage.all({ before, rows }).map(toRecordedEntry);
      const found = numbersOf(db, search, before, rows);
      if (found === null) return [];
      return db
        .select()
        .from(auditEntries)
        .where(inArray(id, found))
        .orderBy(desc(id))
        .limit(rows)
        .all()
        .map(toRecordedEntry);
    },
    countEntries: async (search, most = limits.countedMax, filter) => {
      if (filter !== undefined) return filtered.count(search, filter, most);
      if (search === null) return count("audit_entries");
      const found = numbersOf(db, search, Number.MAX_SAFE_INTEGER, most);
      if (found === null) return 0;
      const counted = db
        .select({ rows: sql<number>`count(*)` })
        .from(found)
        .get();
      return Math.min(counted?.rows ?? 0, most);
    },
    readChain: async (after, rows) => chain.all({ after, rows }),
    countWritten: async () => written(),
  };
}

/** The deletion is among an account's last entries, so a few are looked at. */
const lastEntries = 50;

function peopleLister(db: Db): (ids: readonly number[]) => readonly AuditPerson[] {
  const list = db.$client.query<AuditPersonRow, [string]>(`
    SELECT json_each.value AS id, accounts.id AS found, players.name AS playerName, accounts.mail,
      CASE WHEN accounts.id IS NULL THEN (
        SELECT detail FROM (
          SELECT action, detail FROM audit_entries WHERE for_account_id = json_each.value ORDER BY id DESC LIMIT ${lastEntries})
        WHERE action = 'user.delete' LIMIT 1) END AS deletion
    FROM json_each(?)
    LEFT JOIN accounts ON accounts.id = json_each.value
    LEFT JOIN players ON players.id = accounts.main_player_id`);
  return (ids) => (ids.length === 0 ? [] : list.all(JSON.stringify([...new Set(ids)])).map(toAuditPerson));
}

/** The numbers before this one that a search finds, from each index `rows` at most; null when it can find none. */
function numbersOf(db: Db, search: string, before: number, rows: number): SQL | null {
  const page = { from: sql`rowid < ${before}`, order: sql`rowid DESC`, rows };
  const held = rowsHolding(db, "audit_search", search, page);
  const account = parseRowNumber(search);
  if (account === null) return held;
  const about = sql`(SELECT id FROM ${auditEntries} WHERE for_account_id = ${account} AND id < ${before} ORDER BY id DESC LIMIT ${rows})`;
  if (held === null) return about;
  // A plain UNION would sort both.
  return sql`(SELECT * FROM ${held} UNION ALL SELECT * FROM ${about} WHERE id NOT IN ${held})`;
}

export function auditStore(db: Db): AuditStore {
  const newest = db
    .select({ id: auditEntries.id, hash: auditEntries.hash })
    .from(auditEntries)
    .orderBy(desc(auditEntries.id))
    .limit(1)
    .prepare();
  const written = writtenCounter(db);

  return {
    ...auditReads(db),
    append: async ({ actor, forAccountId, detail, ...entry }) => {
      const before = newest.get() ?? { id: 0, hash: "" };
      const row = {
        ...entry,
        issuer: actor.name,
        actorAccountId: actor.accountId,
        actorVia: actor.via,
        version: chainVersion,
        // The numbers of newest entries that were removed stay free, so that the gap shows.
        id: Math.max(before.id, written()) + 1,
        forAccountId: forAccountId ?? (0 as const),
        detail: JSON.stringify(detail),
        previousHash: before.hash,
      };
      db.insert(auditEntries)
        .values({ ...row, hash: hashOfEntry(row) })
        .run();
    },
  };
}

/** The highest number that an entry ever had, which SQLite keeps for AUTOINCREMENT. */
function writtenCounter(db: Db): () => number {
  const sequence = db.$client.query<{ seq: number }, []>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'audit_entries'",
  );
  return () => sequence.get()?.seq ?? 0;
}
