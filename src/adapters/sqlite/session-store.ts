import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, desc, eq, getTableColumns, gt, lt, ne, sql, type Column, type Placeholder } from "drizzle-orm";
import type { SessionKind } from "../../domain/model/session.ts";
import type {
  GameSession,
  LiveSession,
  SessionReads,
  SessionStore,
} from "../../domain/ports/session-store.ts";
import type { AccountId, PlayerId, SessionId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { toMember, toPlayer, type MemberRow } from "../rows.ts";
import type { Db } from "./open.ts";
import { memberColumns, playerColumns, textOf } from "./rows.ts";
import { sessions } from "./schema/access.ts";
import { players } from "./schema/member.ts";

/** Uses that are written before other work gets the event loop: some milliseconds' worth. */
const usesAtOnce = 1000;

/** More networks than a person signs in from within a month. */
const addressesMax = 100;

export function sessionReads(db: Db): SessionReads {
  // The query of every request that is signed in, so it is raw and reads only what those requests need.
  const { expiresAt, lastUsedAt, idleSeconds, kind } = sessions;
  // Accounts have a column `created_at` as well.
  const live = { openedAt: sessions.createdAt, expiresAt, lastUsedAt, idleSeconds, kind };
  const find = db.$client.query<MemberRow & LiveRow, [SessionId]>(`
    SELECT ${textOf(memberColumns)}, ${textOf(live)}
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN players ON players.id = main_player_id
    WHERE sessions.id = ?`);
  const list = db
    .select()
    .from(sessions)
    .where(
      and(eq(sessions.accountId, sql.placeholder("account")), gt(sessions.expiresAt, sql.placeholder("now"))),
    )
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
    .limit(limits.pageRowsMax)
    .prepare();

  const addresses = db.$client.query<{ address: string }, [AccountId, number, number]>(
    `SELECT address FROM sessions WHERE account_id = ? AND expires_at > ?
    GROUP BY address ORDER BY max(last_used_at) DESC LIMIT ?`,
  );

  return {
    findSession: async (id) => {
      const row = find.get(id);
      if (row === null) return null;
      const { openedAt, expiresAt, lastUsedAt, idleSeconds, kind } = row;
      const session = {
        id,
        accountId: row.id,
        createdAt: openedAt,
        expiresAt,
        lastUsedAt,
        idleSeconds,
        kind,
      };
      return { session, member: toMember(row) };
    },
    findGameSession: gameSessionFinder(db),
    listSessions: async (account, now) => list.all({ account, now }),
    listAddresses: async (account, now) =>
      addresses.all(account, now, addressesMax).map(({ address }) => address),
  };
}

type LiveRow = Pick<LiveSession, "expiresAt" | "lastUsedAt" | "idleSeconds" | "kind"> & {
  readonly openedAt: number;
};

/** SQLite has no booleans: raw statements return 0 and 1 for them. */
type GameRow = MemberRow &
  LiveRow &
  Pick<GameSession, "clientToken"> & {
    readonly sessionId: SessionId;
    readonly boundPlayerId: PlayerId | null;
    readonly refreshOnly: 0 | 1;
  };

const gameColumns = {
  sessionId: sessions.id,
  boundPlayerId: sessions.playerId,
  openedAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  lastUsedAt: sessions.lastUsedAt,
  idleSeconds: sessions.idleSeconds,
  kind: sessions.kind,
  clientToken: sessions.clientToken,
  refreshOnly: sessions.refreshOnly,
};

/** Of every request with a game token, so it is raw as well. The bound player is mostly the main one, which is read already. */
function gameSessionFinder(db: Db): SessionReads["findGameSession"] {
  const find = db.$client.query<GameRow, [string]>(`
    SELECT ${textOf(memberColumns)}, ${textOf(gameColumns)}
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN players ON players.id = main_player_id
    WHERE sessions.token_hash = ? AND sessions.kind = 'game'`);
  const bound = db
    .select(playerColumns)
    .from(players)
    .where(eq(players.id, sql.placeholder("id")))
    .prepare();
  const playerOf = (id: PlayerId) => {
    const row = bound.get({ id });
    return row === undefined ? null : toPlayer(row);
  };

  return async (tokenHash) => {
    const row = find.get(tokenHash);
    if (row === null) return null;
    const { sessionId: id, expiresAt, lastUsedAt, idleSeconds, kind, clientToken, boundPlayerId } = row;
    const member = toMember(row);
    const session = {
      id,
      accountId: member.account.id,
      createdAt: row.openedAt,
      expiresAt,
      lastUsedAt,
      idleSeconds,
      kind,
      clientToken,
      refreshOnly: row.refreshOnly === 1,
    };
    if (boundPlayerId === null) return { session, member, player: null };
    const isMain = boundPlayerId === member.player?.id;
    return { session, member, player: isMain ? member.player : playerOf(boundPlayerId) };
  };
}

export function sessionStore(db: Db): SessionStore {
  const setUse = db
    .update(sessions)
    .set({ lastUsedAt: sql`${sql.placeholder("at")}` })
    .where(eq(sessions.id, sql.placeholder("id")))
    .prepare();
  const see = seeing(db);
  const insert = db
    .insert(sessions)
    .values(placeholdersOf(getTableColumns(sessions)))
    .prepare();
  // A part of every sign-in, as the one before is. Of sessions that were opened in the same second, the one that was written last stays.
  const trim = db.$client.query<never, [AccountId, SessionKind, number]>(`
    DELETE FROM sessions WHERE rowid IN (
      SELECT rowid FROM sessions WHERE account_id = ? AND kind = ?
      ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?)`);

  return {
    ...sessionReads(db),
    insertSession: async (session) => {
      insert.run(session);
      see(session.lastUsedAt, session.id);
    },
    deleteSession: async (id) => {
      db.delete(sessions).where(eq(sessions.id, id)).run();
    },
    deleteSessionsOf: async (account, kept) => {
      const others = kept === undefined ? undefined : ne(sessions.id, kept);
      db.delete(sessions)
        .where(and(eq(sessions.accountId, account), others))
        .run();
    },
    trimSessions: async (account, kind, kept) => void trim.run(account, kind, kept),
    renewGameSession: async (id, renewal) => {
      db.update(sessions)
        .set({ ...renewal, refreshOnly: false })
        .where(eq(sessions.id, id))
        .run();
      see(renewal.lastUsedAt, id);
    },
    markRefreshOnly: async (player) => {
      db.update(sessions).set({ refreshOnly: true }).where(eq(sessions.playerId, player)).run();
    },
    setLastUsed: async (uses) => {
      let written = 0;
      for (const [id, lastUsedAt] of uses) {
        setUse.run({ at: lastUsedAt, id });
        see(lastUsedAt, id);
        written += 1;
        if (written % usesAtOnce === 0) await yieldToEventLoop();
      }
    },
    deleteExpiredSessions: async (before, openedAfter) => {
      db.delete(sessions).where(lt(sessions.expiresAt, before)).run();
      // Each lasts for a day at least, so the index leaves out those that end sooner.
      const endsAfter = openedAfter + limits.sessionSeconds;
      db.delete(sessions)
        .where(and(gt(sessions.expiresAt, endsAfter), gt(sessions.createdAt, openedAfter)))
        .run();
    },
  };
}

/** Writes a session's use to its account, if what stands there is old. */
function seeing(db: Db): (at: number, session: SessionId) => void {
  const see = db.$client.query<never, [at: number, SessionId]>(`
    UPDATE accounts SET last_seen_at = ?1
    WHERE id = (SELECT account_id FROM sessions WHERE id = ?2)
      AND coalesce(last_seen_at, 0) <= ?1 - ${limits.lastSeenSeconds}`);
  return (at, session) => void see.run(at, session);
}

/** A placeholder for each of these columns, by its name. */
function placeholdersOf<Names extends string>(columns: Readonly<Record<Names, Column>>) {
  const made = Object.keys(columns).map((name) => [name, sql.placeholder(name)]);
  // The names are those of the columns.
  return Object.fromEntries(made) as { readonly [Name in Names]: Placeholder };
}
