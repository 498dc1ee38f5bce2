import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, desc, eq, gt, lt, ne, notInArray, sql } from "drizzle-orm";
import type {
  GameSession,
  LiveSession,
  SessionReads,
  SessionStore,
} from "../../domain/ports/session-store.ts";
import type { PlayerId, SessionId } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { memberColumns, playerColumns, textOf, toMember, toPlayer, type MemberRow } from "./rows.ts";
import { sessions } from "./schema/access.ts";
import { players } from "./schema/member.ts";

const sessionKinds = ["web", "game"] as const;

/** Uses that are written before other work gets the event loop: some milliseconds' worth. */
const usesAtOnce = 1000;

export function sessionReads(db: Db): SessionReads {
  // The query of every request that is signed in, so it is raw and reads only what those requests need.
  const { expiresAt, lastUsedAt, kind } = sessions;
  const live = { expiresAt, lastUsedAt, kind };
  const find = db.$client.query<MemberRow & Pick<LiveSession, keyof typeof live>, [SessionId]>(`
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
    .prepare();

  return {
    findSession: async (id) => {
      const row = find.get(id);
      if (row === null) return null;
      const { expiresAt, lastUsedAt, kind } = row;
      const session = { id, accountId: row.id, expiresAt, lastUsedAt, kind };
      return { session, member: toMember(row) };
    },
    findGameSession: gameSessionFinder(db),
    listSessions: async (account, now) => list.all({ account, now }),
  };
}

/** SQLite has no booleans: raw statements return 0 and 1 for them. */
type GameRow = MemberRow &
  Pick<GameSession, "expiresAt" | "lastUsedAt" | "kind" | "clientToken"> & {
    readonly sessionId: SessionId;
    readonly boundPlayerId: PlayerId | null;
    readonly refreshOnly: 0 | 1;
  };

const gameColumns = {
  sessionId: sessions.id,
  boundPlayerId: sessions.playerId,
  expiresAt: sessions.expiresAt,
  lastUsedAt: sessions.lastUsedAt,
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
    const { sessionId: id, expiresAt, lastUsedAt, kind, clientToken, boundPlayerId } = row;
    const member = toMember(row);
    const session = {
      id,
      accountId: member.account.id,
      expiresAt,
      lastUsedAt,
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

  return {
    ...sessionReads(db),
    insertSession: async (session) => {
      db.insert(sessions).values(session).run();
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
    trimGameSessions: async (account, kept) => {
      const own = and(eq(sessions.accountId, account), eq(sessions.kind, "game"));
      const newest = db
        .select({ id: sessions.id })
        .from(sessions)
        .where(own)
        // Of sessions that were opened in the same second, the one that was written last stays.
        .orderBy(desc(sessions.createdAt), sql`rowid DESC`)
        .limit(kept);
      db.delete(sessions)
        .where(and(own, notInArray(sessions.id, newest)))
        .run();
    },
    renewGameSession: async (id, renewal) => {
      db.update(sessions)
        .set({ ...renewal, refreshOnly: false })
        .where(eq(sessions.id, id))
        .run();
    },
    markRefreshOnly: async (player) => {
      db.update(sessions).set({ refreshOnly: true }).where(eq(sessions.playerId, player)).run();
    },
    setLastUsed: async (uses) => {
      let written = 0;
      for (const [id, lastUsedAt] of uses) {
        setUse.run({ at: lastUsedAt, id });
        written += 1;
        if (written % usesAtOnce === 0) await yieldToEventLoop();
      }
    },
    deleteExpiredSessions: async (before, after) => {
      db.delete(sessions).where(lt(sessions.expiresAt, before)).run();
      // One statement for all would read every session.
      for (const kind of sessionKinds) {
        db.delete(sessions)
          .where(and(eq(sessions.kind, kind), gt(sessions.expiresAt, after[kind])))
          .run();
      }
    },
  };
}
