import { AppError } from "../../kernel/errors.ts";
import { checkCurrentPassword, unchangedSince, type Self } from "../accounts/current-password.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Transact } from "../ports/stores.ts";

/**
 * Unlinks the member's social account. The password stays to sign in with, so an account without one fails with invalid,
 * and so does a wrong password; an account that is not linked fails with conflict.
 */
export async function removeIdentity(
  deps: { readonly transact: Transact; readonly hasher: PasswordHasher; readonly attempt: PasswordAttempt },
  self: Self,
  input: { readonly password: string },
): Promise<void> {
  await checkCurrentPassword(deps, self.account, input.password);
  await deps.transact(async (stores) => {
    const { account } = await unchangedSince(stores, self);
    if ((await stores.identities.findIdentityOf(account.id)) === null)
      throw new AppError("conflict", "No social account is linked to yours");
    await stores.identities.deleteIdentityOf(account.id);
  });
}
