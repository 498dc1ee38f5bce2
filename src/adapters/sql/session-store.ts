import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, desc, eq, getTableColumns, gt, sql, type Placeholder, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { GameRenewal, Session, SessionReads, SessionStore } from "../../domain/ports/session-store.ts";
import { limits } from "../../kernel/limits.ts";
import { type PlayerRow, memberColumns, pick, playerColumnsOf, toMember, toPlayer } from "./rows.ts";
import { dailyCount } from "./daily-counts.ts";
import { orderOf, rowsIn, spell } from "./dialect.ts";
import { sessions } from "./schema/access.ts";
import { accounts, players } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, chained, command, first, insertion, listed, setsOf, statement } from "./statement.ts";

/** `seq` is only the order of insertion. */
const { seq: _, ...columns } = getTableColumns(sessions);
const ofSession = eq(sessions.id, sql.placeholder("id"));
const ofAccount = eq(sessions.accountId, sql.placeholder("account"));
const isGame = sql`${sessions.kind} = 'game'`;

/** Of every request that is signed in. Both it and the member have an id and a time of creation. */
const liveColumns = {
  member: memberColumns,
  live: pick(sessions, "id", "accountId", "createdAt", "expiresAt", "lastUsedAt", "idleSeconds", "kind"),
};
// It has the columns of players, whatever the type calls the table.
const bound = alias(players, "bound") as unknown as typeof players;
const gameColumns = {
  ...liveColumns,
  game: pick(sessions, "clientToken", "refreshOnly"),
  bound: playerColumnsOf(bound),
};
const withMember = sql`
  FROM ${sessions} JOIN ${accounts} ON ${accounts.id} = ${sessions.accountId}
  LEFT JOIN ${players} ON ${players.id} = ${accounts.mainPlayerId}`;

const find = statement(sql`SELECT ${listed(liveColumns)} ${withMember} WHERE ${ofSession}`, liveColumns);
const findGame = statement(
  sql`
    SELECT ${listed(gameColumns)} ${withMember}
    LEFT JOIN ${players} AS bound ON ${bound.id} = ${sessions.playerId}
    WHERE ${sessions.tokenHash} = ${sql.placeholder("tokenHash")} AND ${isGame}`,
  gameColumns,
);
const playerColumns = {
  session: pick(sessions, "id", "createdAt", "expiresAt", "lastUsedAt", "refreshOnly"),
  player: pick(players, "uuid", "name"),
};
const findPlayer = statement(
  sql`
    SELECT ${listed(playerColumns)} FROM ${sessions}
    LEFT JOIN ${players} ON ${players.id} = ${sessions.playerId}
    WHERE ${sessions.tokenHash} = ${sql.placeholder("tokenHash")} AND ${isGame}`,
  playerColumns,
);
const has = statement(build.select({ id: sessions.id }).from(sessions).where(ofSession), { id: sessions.id });
const list = statement(
  build
    .select(columns)
    .from(sessions)
    .where(and(ofAccount, gt(sessions.expiresAt, sql.placeholder("now"))))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), orderOf("sessions"))
    .limit(limits.pageRowsMax),
  columns,
);

/** Uses that are written before other work gets the event loop: some milliseconds' worth. */
const usesAtOnce = 1000;

/** More networks than a person signs in from within a month. */
const addressesMax = 100;
const addresses = statement(
  build
    .select({ address: sessions.address })
    .from(sessions)
    .where(and(ofAccount, gt(sessions.expiresAt, sql.placeholder("now"))))
    .groupBy(sessions.address)
    .orderBy(sql`max(${sessions.lastUsedAt}) DESC`)
    .limit(addressesMax),
  { address: sessions.address },
);

export function sessionReads(db: Sender): SessionReads {
  return {
    findSession: async (id) => {
      const row = first(await find(db, { id }));
      return row === null ? null : { session: row.live, member: toMember(row.member) };
    },
    findGameSession: async (tokenHash) => {
      const row = first(await findGame(db, { tokenHash }));
      if (row === null) return null;
      const session = { ...row.live, ...row.game };
      return { session, member: toMember(row.member), player: toBound(row.bound) };
    },
    findGamePlayer: async (tokenHash) => {
      const row = first(await findPlayer(db, { tokenHash }));
      if (row === null) return null;
      const { uuid, name } = row.player;
      return { session: row.session, player: uuid === null || name === null ? null : { uuid, name } };
    },
    hasSession: async (id) => first(await has(db, { id })) !== null,
    listSessions: (account, now) => list(db, { account, now }),
    listAddresses: async (account, now) =>
      (await addresses(db, { account, now })).map(({ address }) => address),
  };
}

/** A session that is bound to no player has a row of nulls. */
function toBound(row: PlayerRow | { readonly [Name in keyof PlayerRow]: null }) {
  return row.playerId === null ? null : toPlayer(row);
}

/** What a session's write says of its account's last use. */
const returned = { account: sessions.accountId, at: sessions.lastUsedAt };

/**
 * A write of sessions, whose accounts were then seen when these were last used, if a condition on that time
 * holds. A list in an array keeps PostgreSQL to the index, however many sessions it expects.
 */
function seen(write: SQL, condition: (at: SQL | Placeholder) => SQL) {
  const at = sql.placeholder("at");
  return chained(write, returned, {
    name: "used",
    second: sql`
      UPDATE accounts SET last_seen_at = uses.at
      FROM (SELECT account_id, max(last_used_at) AS at FROM used GROUP BY account_id) AS uses
      WHERE accounts.id = uses.account_id AND ${condition(sql`uses.at`)}
        AND accounts.id = ANY (ARRAY(SELECT account_id FROM used))`,
    each: sql`
      UPDATE accounts SET last_seen_at = ${at} WHERE id = ${sql.placeholder("account")} AND ${condition(at)}`,
  });
}

/** Writes sessions. Their accounts' last use is written if what they have is old. */
function using(write: SQL) {
  const seconds = sql.raw(String(limits.lastSeenSeconds));
  return seen(write, (at) => sql`coalesce(accounts.last_seen_at, 0) <= ${at} - ${seconds}`);
}

const insert = using(insertion(sessions, columns));
const renewed = pick(
  sessions,
  "tokenHash",
  "playerId",
  "createdAt",
  "expiresAt",
  "lastUsedAt",
  "address",
  "userAgent",
);
const renew = using(
  build
    .update(sessions)
    .set({ ...setsOf(renewed), refreshOnly: false })
    .where(ofSession)
    .getSQL(),
);
const markRefreshOnly = command(
  build
    .update(sessions)
    .set({ refreshOnly: true })
    .where(eq(sessions.playerId, sql.placeholder("player"))),
);
const uses = rowsIn(sql.placeholder("uses"));
const use = using(sql`
  UPDATE sessions SET last_used_at = given.at
  FROM (SELECT value ->> 0 AS id, CAST(value ->> 1 AS bigint) AS at FROM ${uses}) AS given
  WHERE sessions.id = given.id AND given.at > sessions.last_used_at
    AND ${spell({ postgres: sql`sessions.id = ANY (ARRAY(SELECT value ->> 0 FROM ${uses}))`, sqlite: sql`true` })}`);

/** Ends sessions. When they were last used stays known. */
function ending(which: SQL) {
  return seen(
    sql`DELETE FROM sessions WHERE ${which}`,
    (at) => sql`${at} > coalesce(accounts.last_seen_at, 0)`,
  );
}

const endOne = ending(ofSession);
const endAll = ending(ofAccount);
const endOthers = ending(sql`${ofAccount} AND ${sessions.id} <> ${sql.placeholder("kept")}`);
const endOfPlayer = ending(eq(sessions.playerId, sql.placeholder("player")));
const trim = ending(sql`
  ${sessions.id} IN (
    SELECT id FROM sessions AS oldest
    WHERE oldest.account_id = ${sql.placeholder("account")} AND oldest.kind = ${sql.placeholder("kind")}
    ORDER BY oldest.created_at DESC, ${orderOf("oldest")} DESC
    LIMIT ${spell({ postgres: sql`ALL`, sqlite: sql`-1` })} OFFSET ${sql.placeholder("kept")})`);
const endExpired = ending(sql`${sessions.expiresAt} < ${sql.placeholder("before")}`);
const endFromFuture = ending(sql`
  ${sessions.expiresAt} > ${sql.placeholder("endsAfter")} AND ${sessions.createdAt} > ${sql.placeholder("openedAfter")}`);

/** Ends the sessions that are bound to a player, as its deletion does by reference. */
export async function endSessionsOfPlayer(db: Sender, player: Session["playerId"]): Promise<void> {
  await endOfPlayer(db, { player });
}

/** What counts sign-ins by their day. */
type Counter = { readonly count: (name: string, delta: number) => void };

export function sessionStore(db: Sender, touch: Counter): SessionStore {
  return {
    ...sessionReads(db),
    insertSession: async (session) => {
      await insert(db, session);
      touch.count(dailyCount("sign-in", session.createdAt), 1);
    },
    deleteSession: (id) => endOne(db, { id }),
    deleteSessionsOf: (account, kept) =>
      kept === undefined ? endAll(db, { account }) : endOthers(db, { account, kept }),
    trimSessions: (account, kind, kept) => trim(db, { account, kind, kept }),
    renewGameSession: (id, renewal: GameRenewal) => renew(db, { id, ...renewal }),
    markRefreshOnly: (player) => markRefreshOnly(db, { player }),
    setLastUsed: async (uses) => {
      const all = [...uses];
      for (let from = 0; from < all.length; from += usesAtOnce) {
        if (from > 0) await yieldToEventLoop();
        await use(db, { uses: all.slice(from, from + usesAtOnce) });
      }
    },
    deleteExpiredSessions: async (before, openedAfter) => {
      await endExpired(db, { before });
      // Each lasts for a day at least, so the index leaves out those that end sooner.
      await endFromFuture(db, { endsAfter: openedAfter + limits.sessionSeconds, openedAfter });
    },
  };
}
