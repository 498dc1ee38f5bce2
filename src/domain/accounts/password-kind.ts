import type { Account } from "../model/account.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";

/**
 * The name of the kind of an account's password hash, for staff: `argon2id` for one of ours, another one for
 * a hash that another system made, `none` for an account without a password.
 */
export function passwordKind(
  { hasher }: { readonly hasher: Pick<PasswordHasher, "nameOf"> },
  { passwordHash }: Pick<Account, "passwordHash">,
): string {
  return hasher.nameOf(passwordHash);
}
