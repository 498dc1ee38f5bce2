import { AppError } from "../../kernel/errors.ts";
import type { SessionId } from "../../kernel/ids.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import type { Account, Member } from "../model/account.ts";
import { normalisePassword } from "../model/password.ts";

/** A member who changes their own account, and the session that they use. */
export type Self = Member & { readonly sessionId: SessionId };

/**
 * Makes sure that the person who changes an account knows its password. Fails with invalid for a wrong password and for an
 * account that has none, with limited after too many tries.
 */
export async function checkCurrentPassword(
  { hasher, attempt }: { readonly hasher: PasswordHasher; readonly attempt: PasswordAttempt },
  account: Account,
  text: string,
): Promise<void> {
  if (account.passwordHash === null) {
    throw new AppError(
      "invalid",
      "this account has none yet; set one by finishing your registration or by resetting it",
      { field: "password" },
    );
  }
  attempt.take();
  const password = normalisePassword(text);
  if (password === null || !(await hasher.verify(password, account.passwordHash))) {
    attempt.failed(account.id);
    throw new AppError("invalid", "is not your current password", { field: "password" });
  }
  attempt.succeeded();
}

/** The member as they are now. Fails with unauthenticated when the password has changed while the old one was checked. */
export async function unchangedSince({ accounts }: Tx, { account }: Self): Promise<Member> {
  const now = await accounts.findMember({ by: "id", value: account.id });
  if (now === null || now.account.passwordHash !== account.passwordHash) {
    throw new AppError("unauthenticated", "The password has changed meanwhile; sign in again");
  }
  return now;
}
