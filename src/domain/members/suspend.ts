import type { AccountId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/clock.ts";
import { endText } from "../../kernel/instant.ts";
import { findMember } from "../accounts/identifier.ts";
import { usernameOf, type Member } from "../model/account.ts";
import { system } from "../model/actor.ts";
import type { PersonalMail } from "../model/mail.ts";
import { parseReason } from "../model/one-line.ts";
import { refusals } from "../model/refusals.ts";
import { inForce, isInForce, type Suspension, type SuspensionTerms } from "../model/suspension.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { keepAdministrator } from "./levels.ts";

type Deps = { readonly transact: Transact };

/**
 * Suspends an account, or changes until when and why; null ends a suspension. Administrators may. Fails with
 * invalid and not_found as `findMember` does, and as `changeSuspension` does.
 */
export function suspendUser(
  { transact }: Deps,
  actor: Actor,
  { identifier, terms }: { readonly identifier: string; readonly terms: SuspensionTerms | null },
): Promise<Member> {
  return transact(actor, async (tx) => {
    const member = await findMember(tx.accounts, identifier);
    await changeSuspension(tx, member, terms);
    return member;
  });
}

/**
 * Within a transaction: suspends a member until a time in the future, or ends the suspension (null). A
 * suspension ends all sessions of the website and of games, mails the owner, and leaves everything that the
 * account has as it is. Writes audit unless nothing changed. Fails with invalid for a reason of another form
 * (`parseReason`), and with conflict for the actor's own account and as `keepAdministrator` does.
 */
export async function changeSuspension(tx: Tx, member: Member, terms: SuspensionTerms | null): Promise<void> {
  const { id } = member.account;
  if (terms !== null) return suspend(tx, member, { ...terms, reason: parseReason(terms.reason) });
  const before = await findSuspension(tx, id);
  if (before === null) return;
  await tx.suspensions.deleteSuspension(id);
  tx.audit("user.unsuspend", id, { old: factsOf(before) });
}

async function suspend(tx: Tx, member: Member, terms: SuspensionTerms): Promise<void> {
  const { account } = member;
  if (tx.actor.accountId === account.id) throw refusals.ownSuspension();
  const before = await findSuspension(tx, account.id);
  if (before !== null && before.until === terms.until && before.reason === terms.reason) return;
  if (before === null) await keepAdministrator(tx, member, null);
  await tx.sessions.deleteSessionsOf(account.id);
  const issued = { accountId: account.id, issuer: tx.actor.name, at: tx.now };
  await tx.suspensions.putSuspension({ ...terms, ...issued });
  const old = before === null ? {} : { old: factsOf(before) };
  tx.audit("user.suspend", account.id, { ...old, new: factsOf(terms) });
  // The address of an unconfirmed account may be a stranger's.
  if (account.registration !== "unconfirmed") await tx.mail(account, letterFor(member, terms));
}

function letterFor(member: Member, { until, reason }: SuspensionTerms): PersonalMail {
  const end = until === null ? "" : endText(until);
  return { template: "suspended", username: usernameOf(member), end, reason };
}

/** The account's suspension. One that has ended by itself is removed. */
async function findSuspension(tx: Tx, account: AccountId): Promise<Suspension | null> {
  const found = await tx.suspensions.findSuspension(account);
  if (found !== null && !isInForce(found, tx.now)) await expire(tx, found);
  return inForce(found, tx.now);
}

async function expire({ suspensions, audit }: Tx, ended: Suspension): Promise<void> {
  await suspensions.deleteSuspension(ended.accountId);
  audit("suspension.expire", ended.accountId, { old: factsOf(ended) }, system);
}

/** Suspensions that are removed in one transaction, some 20 ms of the write lock; the next run goes on. */
const expiredAtOnceMax = 500;

/**
 * Removes the suspensions whose time has come, and returns how many. Nothing relies on it, because every use
 * checks the time; but this is when the audit and the event are written, as `system`.
 */
export async function expireSuspensions({
  reads,
  transact,
  clock,
}: Deps & { readonly reads: Pick<Reads, "suspensions">; readonly clock: Clock }): Promise<number> {
  // Mostly nothing has ended, which a read shows without the write lock.
  if ((await reads.suspensions.listEndedSuspensions(clock.nowSeconds(), 1)).length === 0) return 0;
  return transact(system, async (tx) => {
    const ended = await tx.suspensions.listEndedSuspensions(tx.now, expiredAtOnceMax);
    for (const one of ended) await expire(tx, one);
    return ended.length;
  });
}

/** What the audit says of a suspension. */
function factsOf({ until, reason }: SuspensionTerms) {
  return { expired_at: until, ...(reason === "" ? {} : { reason }) };
}
