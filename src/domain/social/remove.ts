import { AppError } from "../../kernel/errors.ts";
import { requireFreshProof, type FreshProof, type Self } from "../accounts/fresh-proof.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";

/**
 * Unlinks the member's social account. The password stays to sign in with, so an account without one fails with invalid. An
 * account that is not linked fails with conflict. Fails as `requireFreshProof` does.
 */
export async function removeIdentity(
  deps: { readonly transact: Transact; readonly hasher: PasswordHasher; readonly attempt: PasswordAttempt },
  actor: Actor,
  self: Self,
  input: FreshProof,
): Promise<void> {
  const proven = await requireFreshProof(deps, self, input);
  await deps.transact(actor, async (tx) => {
    const { account } = await proven(tx);
    if ((await tx.identities.findIdentityOf(account.id)) === null)
      throw new AppError("conflict", "No social account is linked to yours");
    await tx.identities.deleteIdentityOf(account.id);
  });
}
