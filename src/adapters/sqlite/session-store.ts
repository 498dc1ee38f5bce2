import { and, desc, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import type { Session, SessionReads, SessionStore } from "../../domain/sessions/store.ts";
import type { AccountId, SessionId } from "../../kernel/ids.ts";
import { sessionFinder } from "./live-session.ts";
import type { Db } from "./open.ts";
import { sessions } from "./schema/session.ts";

// Rows hold only what `insertSession` wrote, so their ids are what the types say.
function toSession(row: typeof sessions.$inferSelect): Session {
  return { ...row, id: row.id as SessionId, accountId: row.accountId as AccountId };
}

export function sessionReads(db: Db): SessionReads {
  const list = db
    .select()
    .from(sessions)
    .where(
      and(eq(sessions.accountId, sql.placeholder("account")), gt(sessions.expiresAt, sql.placeholder("now"))),
    )
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
    .prepare();

  return {
    findSession: sessionFinder(db),
    listSessions: async (account, now) => list.all({ account, now }).map(toSession),
  };
}

export function sessionStore(db: Db): SessionStore {
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
      for (const [id, lastUsedAt] of uses)
        db.update(sessions).set({ lastUsedAt }).where(eq(sessions.id, id)).run();
    },
    deleteExpiredSessions: async (before, after) => {
      db.delete(sessions)
        .where(or(lt(sessions.expiresAt, before), gt(sessions.expiresAt, after)))
        .run();
    },
  };
}
