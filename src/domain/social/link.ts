import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { playerOf } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { refusals } from "../model/refusals.ts";
import { openSession } from "../sessions/open-session.ts";
import { refuseSuspended } from "../sessions/suspended.ts";
import { checkPassword, type SignInDeps, type SignInInput } from "../sessions/sign-in.ts";
import type { SocialSignedIn } from "./connect.ts";
import type { Person } from "../model/identity.ts";
import type { KeyedHash } from "./login-states.ts";
import { findWaiting, socialProof, takePending, type ConnectionClaim } from "./pending.ts";
import type { Actor, Tx } from "../ports/unit-of-work.ts";
import { requireFreshProof, type FreshProof, type Self } from "../accounts/fresh-proof.ts";

/**
 * Links a person to the account whose password is given, and opens a session. Fails with invalid for an
 * invalid claim, before the password is tried; as `signIn` does; with forbidden for an account without a
 * player; and with conflict when the person is linked to another account or the account to another person.
 */
export async function linkIdentity(
  deps: SignInDeps & { readonly clock: Clock; readonly connectionHash: KeyedHash },
  input: SignInInput & { readonly claim: ConnectionClaim },
): Promise<SocialSignedIn> {
  await findWaiting(deps, input.claim);
  const proveIdentity = await checkPassword(deps, input);
  return deps.transact(anonymous, async (tx) => {
    const proof = await proveIdentity(tx);
    await refuseSuspended(tx, proof.member.account.id);
    const { accountId } = playerOf(proof.member);
    const person = await takePending(tx, deps.connectionHash, input.claim);
    await attachIdentity(tx, accountId, person);
    const methods = [...proof.methods, socialProof(person)];
    return openSession(tx, { ...proof, methods, person }, input);
  });
}

/**
 * Makes a person an account's identity. If the person is its identity already, only name and avatar are
 * refreshed. Fails with conflict when the account has another identity or the person another account.
 */
export async function attachIdentity(
  { identities, now }: Tx,
  accountId: AccountId,
  { provider, issuer, subject, username, avatar }: Person,
): Promise<void> {
  const owner = await identities.findIdentity({ provider, issuer, subject });
  if (owner?.accountId === accountId) return identities.refreshIdentity(accountId, { username, avatar });
  if (owner !== null) throw linkedOtherwise(refusals.personLinked, provider);
  if ((await identities.findIdentityOf(accountId)) !== null)
    throw linkedOtherwise(refusals.linkedElsewhere, provider);
  await identities.insertIdentity({ provider, issuer, subject, username, avatar, accountId, linkedAt: now });
}

function linkedOtherwise(refusal: Refusal<string, []>, provider: string): AppError {
  return refusal({ report: { provider, reason: refusal.sentence } });
}

/**
 * Unlinks the member's social account. The password stays to sign in with, so an account without one fails
 * with invalid. An account that is not linked fails with conflict. Fails as `requireFreshProof` does.
 */
export async function removeIdentity(
  deps: Pick<SignInDeps, "transact" | "hasher">,
  actor: Actor,
  self: Self,
  input: FreshProof,
): Promise<void> {
  const proven = await requireFreshProof(deps, self, input);
  await deps.transact(actor, async (tx) => {
    const { account } = await proven(tx);
    if ((await tx.identities.findIdentityOf(account.id)) === null) throw refusals.notLinked();
    await tx.identities.deleteIdentityOf(account.id);
  });
}
