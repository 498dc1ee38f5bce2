import type { SessionId } from "../../kernel/ids.ts";
import { findMember } from "../accounts/identifier.ts";
import { levelInForce, type Account } from "../model/account.ts";
import { mayEndSessions } from "../model/policy.ts";
import { refusals } from "../model/refusals.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";

type Deps = { readonly transact: Transact };

/**
 * Ends a session of any account, of the website or of a game. Moderators may for members of level 1,
 * administrators for everybody. Writes audit. Fails with not_found for an unknown account, and for a session
 * that is not the account's; with forbidden for staff.
 */
export async function endSessionOf(
  { transact }: Deps,
  actor: Actor,
  { identifier, sessionId }: { readonly identifier: string; readonly sessionId: SessionId },
): Promise<void> {
  await transact(actor, async (tx) => {
    const account = await findEndable(tx, identifier);
    const found = await tx.sessions.findSession(sessionId);
    if (found?.session.accountId !== account.id) throw refusals.noSuchSession();
    await tx.sessions.deleteSession(sessionId);
    const { id, kind, expiresAt, lastUsedAt } = found.session;
    tx.audit("session.end", account.id, { old: { id, kind, last_used: lastUsedAt, expires: expiresAt } });
  });
}

/**
 * Ends all sessions of an account, of the website and of games, except the one through which the actor acts.
 * As `endSessionOf` for the rest; what ends nothing is no entry of the audit.
 */
export async function endAllSessionsOf(
  { transact }: Deps,
  actor: Actor,
  { identifier, keptSession }: { readonly identifier: string; readonly keptSession: SessionId },
): Promise<void> {
  await transact(actor, async (tx) => {
    const { id } = await findEndable(tx, identifier);
    const open = await tx.sessions.listSessions(id, tx.now);
    const ended = open.filter((session) => session.id !== keptSession).length;
    await tx.sessions.deleteSessionsOf(id, keptSession);
    if (ended > 0) tx.audit("session.end-all", id, { old: { sessions: ended } });
  });
}

/** The account whose sessions the transaction's actor may end. The actor's level is that of this moment. */
async function findEndable({ accounts, actor, now }: Tx, identifier: string): Promise<Account> {
  const { account } = await findMember(accounts, identifier);
  const by =
    actor.accountId === null ? null : await accounts.findMember({ by: "id", value: actor.accountId });
  const level = by === null ? 3 : levelInForce(by.account, now);
  if (!mayEndSessions(level, account, now)) throw refusals.sessionsOfStaff();
  return account;
}
