import { newUuid, type AccountId, type SessionId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Member } from "../model/account.ts";
import type { Session } from "../ports/session-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** A fresh session and the member it belongs to. */
export type SignedIn = { readonly session: Session; readonly member: Member };

/** The client that opens a session. */
export type Client = {
  readonly address: string;
  /** What it calls itself, cut when it is kept. */
  readonly userAgent: string;
};

/** Opens a session for a person who has shown that the account is theirs. */
export async function openSession(
  { sessions, now }: Tx,
  accountId: AccountId,
  { address, userAgent }: Client,
): Promise<Session> {
  const session: Session = {
    id: newUuid() as string as SessionId, // a fresh name for what is created here
    accountId,
    createdAt: now,
    expiresAt: now + limits.sessionSeconds,
    lastUsedAt: now,
    address,
    userAgent: userAgent.slice(0, limits.userAgentLengthMax),
  };
  await sessions.insertSession(session);
  return session;
}
