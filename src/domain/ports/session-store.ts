import type { AccountId, SessionId } from "../../kernel/ids.ts";
import type { Member } from "../model/account.ts";

/** One sign-in. Times are Unix seconds. */
export type Session = {
  readonly id: SessionId;
  readonly accountId: AccountId;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  /** Where it was opened from. */
  readonly address: string;
  /** What the client called itself, cut to 256 characters. */
  readonly userAgent: string;
};

/** What of a session every request looks at. */
export type LiveSession = Pick<Session, "id" | "accountId" | "expiresAt" | "lastUsedAt">;

/** What is read of sessions. */
export interface SessionReads {
  /** The session with whose it is; null when it never was, was ended, or went with its account. */
  findSession(id: SessionId): Promise<{ readonly session: LiveSession; readonly member: Member } | null>;
  /** The account's sessions that have not expired, the last used first. */
  listSessions(account: AccountId, now: number): Promise<readonly Session[]>;
}

/** What is written of sessions. */
export interface SessionStore extends SessionReads {
  insertSession(session: Session): Promise<void>;
  deleteSession(id: SessionId): Promise<void>;
  /** Ends all sessions of the account, except the one that is kept. */
  deleteSessionsOf(account: AccountId, kept?: SessionId): Promise<void>;
  /** Notes when sessions were used. Ended ones are passed over. */
  setLastUsed(uses: ReadonlyMap<SessionId, number>): Promise<void>;
  /** Removes what expired before, or will only expire after, the times given (Unix seconds). */
  deleteExpiredSessions(before: number, after: number): Promise<void>;
}
