import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, desc, eq, gt, lt, ne, or, sql } from "drizzle-orm";
import type { Session, SessionReads, SessionStore } from "../../domain/ports/session-store.ts";
import type { AccountId, SessionId } from "../../kernel/ids.ts";
import { sessionFinder } from "./live-session.ts";
import type { Db } from "./open.ts";
import { sessions } from "./schema/session.ts";

/** Uses that are written down before others have the event loop: some milliseconds' worth. */
const usesAtOnce = 1000;

// Rows hold only what `insertSession` wrote, so their ids are what the types say.
function toSession(row: typeof sessions.$inferSelect): Session {
  const { createdAt, expiresAt, lastUsedAt, address, userAgent } = row;
  const ids = { id: row.id as SessionId, accountId: row.accountId as AccountId };
  return { ...ids, createdAt, expiresAt, lastUsedAt, address, userAgent };
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
