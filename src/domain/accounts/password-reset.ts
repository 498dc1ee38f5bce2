import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";
import { usernameOf } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import { showCode } from "../model/code.ts";
import { checkSendLimits, findValidCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { Language } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { settleRegistration } from "./register.ts";
import { claimMail } from "./unconfirmed.ts";

type Deps = { readonly transact: Transact; readonly codes: CodeSending };

/** The code of a registration, too: its owner sets a password where several people registered the address. */
const purposes = ["reset", "confirm"] as const;

/**
 * Mails a code with which the account's password can be reset. An address that no account has fails with
 * invalid or, where answers are uniform, gets a mail that says so. Fails with limited when the address got
 * too many mails. `address` is the client's, which the mail names.
 */
export async function forgetPassword(
  deps: Deps & { readonly pages: () => Pages; readonly uniformAnswers: boolean },
  input: { readonly mail: string; readonly language: Language; readonly address: string },
): Promise<void> {
  const mail = parseMail(input.mail);
  await deps.transact(anonymous, async (tx) => {
    const member = await tx.accounts.findMember({ by: "mail", value: mailKey(mail) });
    const origin = originOf(input.address, tx.now);
    if (member === null) {
      // The contract's words for a reset that fails (Errors, specific cases).
      if (!deps.uniformAnswers) throw refusals.unknownMail();
      await checkSendLimits(tx, deps.codes.limitFactor, mail);
      return tx.mail({ mail, language: input.language }, { template: "unknown-address", ...origin });
    }
    const { account } = member;
    const to = account.mail ?? mail;
    const code = await issueCode(tx, deps.codes, { account: account.id, purpose: "reset", mail: to });
    const link = deps.pages().resetPassword(code);
    const shown = { username: usernameOf(member), code: showCode(code), link };
    return tx.mail({ ...account, mail: to }, { template: "reset", ...shown, ...origin });
  });
}

/**
 * Checks a code that allows setting a password, without using it up. Fails with invalid for an invalid code.
 */
export async function checkResetCode(
  { reads, clock, codes }: { readonly reads: Reads; readonly clock: Clock; readonly codes: CodeSending },
  { code: text }: { readonly code: string },
): Promise<void> {
  const now = clock.nowSeconds();
  await findValidCode({ codes: reads.codes, now }, codes.hash, { text, purposes });
}

/**
 * Sets a password by the code of a reset or of a registration, which is used up and proves the address that
 * it was sent to. Ends every session of the account and every other code, and mails a notice. Fails with
 * invalid for an invalid code and for a password outside the rules.
 */
export async function resetPassword(
  deps: Deps & { readonly hasher: PasswordHasher; readonly reads: Reads; readonly clock: Clock },
  input: { readonly code: string; readonly password: string },
): Promise<void> {
  const password = parseNewPassword(input.password);
  // Checked before the password is hashed, so that guessing codes costs us little.
  await checkResetCode(deps, input);
  const passwordHash = await deps.hasher.hash(password);
  await deps.transact(anonymous, async (tx) => {
    const code = await findValidCode(tx, deps.codes.hash, { text: input.code, purposes });
    const member = await tx.accounts.findMember({ by: "id", value: code.accountId });
    if (member === null) throw refusals.badCode();
    const { account } = member;
    await claimMail(tx.accounts, code.mail, account.id);
    await tx.accounts.updateAccount(account.id, { passwordHash, mail: code.mail, mailVerified: true });
    await settleRegistration(tx, account.id);
    await tx.sessions.deleteSessionsOf(account.id);
    await tx.codes.deleteCodesOf(account.id);
    // A change of the address ends its codes, so the code's address is the account's.
    await tx.mail(account, { template: "password-changed", username: usernameOf(member) });
  });
}
