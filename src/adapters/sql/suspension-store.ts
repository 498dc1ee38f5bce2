import { and, asc, eq, getTableColumns, lte, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { EventBody, EventType } from "../../domain/model/event.ts";
import type { SuspensionReads, SuspensionStore } from "../../domain/ports/suspension-store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { suspensions } from "./schema/access.ts";
import { accounts, players } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, overwritten, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const columns = getTableColumns(suspensions);
const { scope: _, ...told } = columns;
const { accountId: __, ...changed } = told;
const ofAccount = and(eq(suspensions.accountId, sql.placeholder("account")), eq(suspensions.scope, "all"));
const now = sql.placeholder("now");

const find = statement(build.select(told).from(suspensions).where(ofAccount), told);
const count = statement(sql`SELECT count(*) FROM suspensions WHERE until IS NULL OR until > ${now}`, {
  accounts: Number,
});
const listEnded = statement(
  build
    .select(told)
    .from(suspensions)
    .where(lte(suspensions.until, now))
    .orderBy(asc(suspensions.until))
    .limit(sql.placeholder("rows")),
  told,
);
const put = command(sql`
  ${insertion(suspensions, told)} ON CONFLICT (account_id, scope) DO UPDATE SET ${overwritten(changed)}`);
const remove = command(build.delete(suspensions).where(ofAccount));

/** The account as events name it; no row for one without a player. */
const named = statement(
  sql`
    SELECT accounts.uuid, players.uuid, players.name
    FROM accounts JOIN players ON players.id = accounts.main_player_id
    WHERE accounts.id = ${sql.placeholder("account")}`,
  { account: { uuid: accounts.uuid }, player: { uuid: players.uuid, name: players.name } },
);

export function suspensionReads(db: Sender): SuspensionReads {
  return {
    findSuspension: async (account) => first(await find(db, { account })),
    countSuspended: async (now) => first(await count(db, { now }))?.accounts ?? 0,
    listEndedSuspensions: (now, rows) => listEnded(db, { now, rows }),
  };
}

export function suspensionStore(db: Sender, touch: Pick<Touch, "event">): SuspensionStore {
  const report = async (type: EventType, account: AccountId, more: Pick<EventBody, "until"> = {}) => {
    const about = first(await named(db, { account }));
    if (about !== null) touch.event(type, { ...about, ...more });
  };
  return {
    ...suspensionReads(db),
    putSuspension: async (suspension) => {
      await put(db, suspension);
      await report("account.suspended", suspension.accountId, { until: suspension.until });
    },
    deleteSuspension: async (account) => {
      await remove(db, { account });
      await report("account.restored", account);
    },
  };
}

/** The condition that the account of a statement's row is not suspended at a time. */
export function isNotSuspended(at: SQLWrapper): SQL {
  return sql`NOT EXISTS (
    SELECT 1 FROM suspensions
    WHERE suspensions.account_id = accounts.id AND (suspensions.until IS NULL OR suspensions.until > ${at}))`;
}
