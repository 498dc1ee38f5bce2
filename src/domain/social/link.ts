import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { playerOf } from "../model/account.ts";
import { signIn, type SignInDeps, type SignInInput } from "../sessions/sign-in.ts";
import type { SocialSignedIn } from "./connect.ts";
import type { Person } from "../model/identity.ts";
import type { KeyedHash } from "./login-states.ts";
import { findPending, takePending, type ConnectionClaim } from "./pending.ts";
import type { IdentityStore } from "../ports/identity-store.ts";

/**
 * Links a person to the account whose password is given, and opens a session. Fails with invalid for a claim that is not
 * good, which leaves the password untried, as `signIn` does, with forbidden for an account whose registration is unfinished,
 * and with conflict when the person or the account is linked otherwise.
 */
export async function linkIdentity(
  deps: SignInDeps & { readonly connectionHash: KeyedHash },
  input: SignInInput & { readonly claim: ConnectionClaim },
): Promise<SocialSignedIn> {
  const { claim } = input;
  const at = deps.clock.nowSeconds();
  const person = await findPending(deps.reads.identities, deps.connectionHash, claim, at);
  const signedIn = await signIn(deps, input, async ({ identities }, member) => {
    const { accountId } = playerOf(member);
    const now = deps.clock.nowSeconds();
    const pending = await takePending(identities, deps.connectionHash, claim, now);
    await attachIdentity(identities, accountId, pending, now);
  });
  return { ...signedIn, person };
}

/**
 * Makes a person an account's identity. Nothing happens to one who is that already but the new name and avatar. Fails with
 * conflict when the account has another identity or the person another account.
 */
export async function attachIdentity(
  identities: IdentityStore,
  accountId: AccountId,
  { provider, issuer, subject, username, avatar }: Person,
  at: number,
): Promise<void> {
  const owner = await identities.findIdentity({ provider, issuer, subject });
  if (owner?.accountId === accountId) return identities.refreshIdentity(accountId, { username, avatar });
  if (owner !== null) throw linkedOtherwise("This social account is linked to another account", provider);
  if ((await identities.findIdentityOf(accountId)) !== null)
    throw linkedOtherwise("This account is linked to another social account", provider);
  await identities.insertIdentity({ provider, issuer, subject, username, avatar, accountId, linkedAt: at });
}

function linkedOtherwise(what: string, provider: string): AppError {
  return new AppError("conflict", `${what} already`, { report: { provider, reason: what } });
}
