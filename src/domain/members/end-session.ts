import type { SessionId } from "../../kernel/ids.ts";
import { findMember } from "../accounts/identifier.ts";
import { refusals } from "../model/refusals.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";

/**
 * Ends a session of any account, of the website or of a game. Administrators may. Writes audit. Fails with not_found for an
 * unknown account, and for a session that is not the account's.
 */
export async function endSessionOf(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  { identifier, sessionId }: { readonly identifier: string; readonly sessionId: SessionId },
): Promise<void> {
  await transact(actor, async ({ accounts, sessions, audit }) => {
    const { account } = await findMember(accounts, identifier);
    const found = await sessions.findSession(sessionId);
    if (found?.session.accountId !== account.id) throw refusals.noSuchSession();
    await sessions.deleteSession(sessionId);
    const { id, kind, expiresAt, lastUsedAt } = found.session;
    audit("session.end", account.id, { old: { id, kind, last_used: lastUsedAt, expires: expiresAt } });
  });
}
