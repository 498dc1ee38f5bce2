import type { AccountId, PlayerId, SessionId } from "../../kernel/ids.ts";
import type { Member } from "../model/account.ts";
import type { ProofMethod, SessionKind } from "../model/session.ts";

/** One sign-in. Times are Unix seconds. */
export type Session = {
  readonly id: SessionId;
  readonly accountId: AccountId;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  /** The address of the client that opened it. */
  readonly address: string;
  /** What that client called itself, cut to 256 characters. */
  readonly userAgent: string;
  readonly kind: SessionKind;
  /** The player that it is bound to; null for the account as a whole. */
  readonly playerId: PlayerId | null;
  /** How the member proved who they are. Empty for a session from before this was recorded, where it is not certain. */
  readonly methods: readonly ProofMethod[];
  readonly provedAt: number;
};

/** What every request looks at. */
export type LiveSession = Pick<Session, "id" | "accountId" | "expiresAt" | "lastUsedAt" | "kind">;

/** What is read of sessions. */
export interface SessionReads {
  /** A session and the member it belongs to; null when it does not exist or was ended. */
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
  /** Notes when sessions were used. Ended sessions are skipped. */
  setLastUsed(uses: ReadonlyMap<SessionId, number>): Promise<void>;
  /** Removes the sessions that expired before, or will expire after, the times given (Unix seconds). */
  deleteExpiredSessions(before: number, after: number): Promise<void>;
}
