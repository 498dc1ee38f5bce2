import type { AccountId, SessionId } from "../../kernel/ids.ts";
import type { Member } from "../accounts/account.ts";

/** One sign-in. Times are Unix seconds. */
export type Session = {
  readonly id: SessionId;
  readonly accountId: AccountId;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** What is read of sessions. */
export interface SessionReads {
  /** The session with whose it is; null when it never was, was ended, or went with its account. */
  findSession(id: SessionId): Promise<{ readonly session: Session; readonly member: Member } | null>;
}

/** What is written of sessions. */
export interface SessionStore extends SessionReads {
  insertSession(session: Session): Promise<void>;
  deleteSession(id: SessionId): Promise<void>;
  deleteSessionsOf(account: AccountId): Promise<void>;
}
