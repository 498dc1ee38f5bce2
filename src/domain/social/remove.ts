import { AppError } from "../../kernel/errors.ts";
import { checkCurrentPassword, unchangedSince, type Self } from "../accounts/current-password.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";

/**
 * Unlinks the member's social account. The password stays to sign in with, so an account without one fails with invalid,
 * and so does a wrong password; an account that is not linked fails with conflict.
 */
export async function removeIdentity(
  deps: { readonly transact: Transact; readonly hasher: PasswordHasher; readonly attempt: PasswordAttempt },
  actor: Actor,
  self: Self,
  input: { readonly password: string },
): Promise<void> {
  await checkCurrentPassword(deps, self.account, input.password);
  await deps.transact(actor, async (tx) => {
    const { account } = await unchangedSince(tx, self);
    if ((await tx.identities.findIdentityOf(account.id)) === null)
      throw new AppError("conflict", "No social account is linked to yours");
    await tx.identities.deleteIdentityOf(account.id);
  });
}
