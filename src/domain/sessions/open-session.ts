import { newUuid, type AccountId, type SessionId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Member } from "../model/account.ts";
import type { Session, SessionStore } from "../ports/session-store.ts";

/** A fresh session and whose it is. */
export type SignedIn = { readonly session: Session; readonly member: Member };

/** Who opens a session. */
export type Client = {
  readonly address: string;
  /** What it calls itself, cut when it is kept. */
  readonly userAgent: string;
};

/** Opens a session for who has shown that the account is theirs. `at` is in Unix seconds. */
export async function openSession(
  sessions: SessionStore,
  accountId: AccountId,
  { address, userAgent }: Client,
  at: number,
): Promise<Session> {
  const session: Session = {
    id: newUuid() as string as SessionId, // a fresh name for what is created here
    accountId,
    createdAt: at,
    expiresAt: at + limits.sessionSeconds,
    lastUsedAt: at,
    address,
    userAgent: userAgent.slice(0, limits.userAgentLengthMax),
  };
  await sessions.insertSession(session);
  return session;
}
