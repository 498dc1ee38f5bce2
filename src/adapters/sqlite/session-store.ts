import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, desc, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import type { LiveSession, SessionReads, SessionStore } from "../../domain/ports/session-store.ts";
import type { SessionId } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { memberColumns, textOf, toMember, type MemberRow } from "./rows.ts";
import { sessions } from "./schema/access.ts";

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
    listSessions: async (account, now) => list.all({ account, now }),
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
    setLastUsed: async (uses) => {
      let written = 0;
      for (const [id, lastUsedAt] of uses) {
        setUse.run({ at: lastUsedAt, id });
        written += 1;
        if (written % usesAtOnce === 0) await yieldToEventLoop();
      }
    },
    deleteExpiredSessions: async (before, after) => {
      db.delete(sessions)
        .where(or(lt(sessions.expiresAt, before), gt(sessions.expiresAt, after)))
        .run();
    },
  };
}
