import { eq, sql } from "drizzle-orm";
import type { SessionReads, SessionStore } from "../../domain/sessions/store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { toMember } from "./account-store.ts";
import type { Db } from "./open.ts";
import { accounts } from "./schema/account.ts";
import { players } from "./schema/player.ts";
import { sessions } from "./schema/session.ts";

export function sessionReads(db: Db): SessionReads {
  const find = db
    .select()
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(players, eq(players.accountId, accounts.id))
    .where(eq(sessions.id, sql.placeholder("id")))
    .prepare();

  return {
    findSession: async (id) => {
      const row = find.get({ id });
      if (row === undefined) return null;
      const { createdAt, expiresAt } = row.sessions;
      // The row was found by this id, and its account id was written by `insertSession`.
      const session = { id, accountId: row.sessions.accountId as AccountId, createdAt, expiresAt };
      return { session, member: toMember(row) };
    },
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
    deleteSessionsOf: async (account) => {
      db.delete(sessions).where(eq(sessions.accountId, account)).run();
    },
  };
}
