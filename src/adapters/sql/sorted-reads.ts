import { and, asc, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { AccountReads } from "../../domain/ports/account-store.ts";
import { endOfTime, isKeyless, memberColumns, toMember } from "./rows.ts";
import { isIn } from "./dialect.ts";
import { members } from "./members.ts";
import { accounts, players } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, mayBeKept, statement } from "./statement.ts";

const key = sql.placeholder("key");
const id = sql.placeholder("id");
const rows = sql.placeholder("rows");
const { lastSeenAt } = accounts;

const named = statement(
  build
    .select(memberColumns)
    .from(players)
    .innerJoin(accounts, eq(accounts.mainPlayerId, players.id))
    .where(gt(players.nameKey, key))
    .orderBy(asc(players.nameKey))
    .limit(rows),
  memberColumns,
);
const unnamed = statement(
  members()
    .where(and(isNull(accounts.mainPlayerId), gt(accounts.id, id)))
    .orderBy(asc(accounts.id))
    .limit(rows),
  memberColumns,
);
const seen = statement(
  members()
    .where(sql`(${lastSeenAt}, ${accounts.id}) < (${key}, ${id})`)
    .orderBy(desc(lastSeenAt), desc(accounts.id))
    .limit(rows),
  memberColumns,
);
const unseen = statement(
  members()
    .where(and(isNull(lastSeenAt), lt(accounts.id, id)))
    .orderBy(desc(accounts.id))
    .limit(rows),
  memberColumns,
);
const times = statement(
  sql`
    SELECT id, last_seen_at FROM accounts
    WHERE ${isIn(accounts.id, sql.placeholder("ids"), "bigint")} AND last_seen_at IS NOT NULL`,
  { id: accounts.id, at: Number },
);

/**
 * Sorted lists of members. Each is two: members with a key, and then those without. Both are read in the
 * order of an index.
 */
export function sortedReads(
  db: Sender,
): Pick<AccountReads, "listByName" | "listByLastSeen" | "listLastSeen"> {
  return {
    listByName: async ({ after, rows }) => {
      if (!mayBeKept(after?.key ?? "")) return [];
      const found = isKeyless(after) ? [] : await named(db, { key: after?.key ?? "", rows });
      const left = rows - found.length;
      const rest = left === 0 ? [] : await unnamed(db, { id: isKeyless(after) ? after.id : 0, rows: left });
      return [...found, ...rest].map(toMember);
    },
    listByLastSeen: async ({ after, rows }) => {
      const { id, key } = after ?? endOfTime;
      const found = isKeyless(after) ? [] : await seen(db, { key: Number(key), id, rows });
      const left = rows - found.length;
      const rest =
        left === 0 ? [] : await unseen(db, { id: isKeyless(after) ? id : endOfTime.id, rows: left });
      return [...found, ...rest].map(toMember);
    },
    listLastSeen: async (ids) =>
      ids.length === 0 ? new Map() : new Map((await times(db, { ids })).map(({ id, at }) => [id, at])),
  };
}
