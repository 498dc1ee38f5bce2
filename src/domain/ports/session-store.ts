import type { AccountId, PlayerId, SessionId } from "../../kernel/ids.ts";
import type { Member, Player } from "../model/account.ts";
import type { Lifetime, ProofMethod, SessionKind } from "../model/session.ts";

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
  /**
   * How the member proved who they are. Empty for a session from before this was recorded, where it is not
   * certain.
   */
  readonly methods: readonly ProofMethod[];
  readonly provedAt: number;
  /** Of a game session: the hex SHA-256 of its token; null for others. */
  readonly tokenHash: string | null;
  /** Of a game session: what its launcher calls itself; null for others. */
  readonly clientToken: string | null;
  /** Of a game session: whether it can only be refreshed, because its player was renamed. */
  readonly refreshOnly: boolean;
  /** Of a session of the console: how many seconds it may go unused; null for others. */
  readonly idleSeconds: number | null;
};

/** What every request looks at. */
export type LiveSession = Lifetime & Pick<Session, "id" | "accountId" | "kind">;

/** What a request with a game token looks at. */
export type GameSession = LiveSession & Pick<Session, "clientToken" | "refreshOnly">;

/** A game session with its member, and the player that it is bound to; null: no player. */
export type FoundGameSession = {
  readonly session: GameSession;
  readonly member: Member;
  readonly player: Player | null;
};

/** As much of it as a join to a game server looks at. */
export type FoundGamePlayer = {
  readonly session: Pick<GameSession, "id" | "createdAt" | "expiresAt" | "lastUsedAt" | "refreshOnly">;
  readonly player: Pick<Player, "uuid" | "name"> | null;
};

/** A refresh: what replaces the token of a game session, and what starts again with it. */
export type GameRenewal = Pick<
  Session,
  "tokenHash" | "playerId" | "createdAt" | "expiresAt" | "lastUsedAt" | "address" | "userAgent"
>;

/** What is read of sessions. */
export interface SessionReads {
  /** A session and the member it belongs to; null when it does not exist or was ended. */
  findSession(id: SessionId): Promise<{ readonly session: LiveSession; readonly member: Member } | null>;
  /** The game session whose token has this hash; null when there is none, or it was ended. */
  findGameSession(tokenHash: string): Promise<FoundGameSession | null>;
  /** The same without its member. */
  findGamePlayer(tokenHash: string): Promise<FoundGamePlayer | null>;
  /** Whether a session exists, in time or not: false once it was ended. */
  hasSession(id: SessionId): Promise<boolean>;
  /**
   * The account's sessions that have not expired, the last used first, `limits.pageRowsMax` at most: an
   * account of an earlier release may have more until its next sign-in.
   */
  listSessions(account: AccountId, now: number): Promise<readonly Session[]>;
  /**
   * The addresses from which the account's sessions that have not expired were opened, each once: the hundred
   * used last.
   */
  listAddresses(account: AccountId, now: number): Promise<readonly string[]>;
}

/** What is written of sessions. */
export interface SessionStore extends SessionReads {
  insertSession(session: Session): Promise<void>;
  deleteSession(id: SessionId): Promise<void>;
  /** Ends all sessions of the account, except the one that is kept. */
  deleteSessionsOf(account: AccountId, kept?: SessionId): Promise<void>;
  /** Ends the account's sessions of a kind, except this many that were opened last. */
  trimSessions(account: AccountId, kind: SessionKind, kept: number): Promise<void>;
  /** Gives a game session another token, and starts its time again. */
  renewGameSession(id: SessionId, renewal: GameRenewal): Promise<void>;
  /** Leaves the game sessions of a player good for a refresh only. */
  markRefreshOnly(player: PlayerId): Promise<void>;
  /** Notes when sessions were used. Ended sessions are skipped. */
  setLastUsed(uses: ReadonlyMap<SessionId, number>): Promise<void>;
  /** Removes the sessions that expired before, or were opened after, the times given (Unix seconds). */
  deleteExpiredSessions(before: number, openedAfter: number): Promise<void>;
}
