import { showCode } from "../model/code.ts";
import { findValidCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import type { Language } from "../model/mail.ts";
import { usernameOf } from "../model/account.ts";
import { refusals } from "../model/refusals.ts";
import { requireFreshProof, type FreshProof, type ProvenSelf, type Self } from "./fresh-proof.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { settleRegistration } from "./register.ts";
import { claimMail, findMailOwner } from "./unconfirmed.ts";

/* What members change of their own accounts. All of it but the language fails as `requireFreshProof` does. */

type Deps = {
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
};

/**
 * Sets a new password, ends every other session and mails a notice. Fails with invalid for one outside the
 * rules.
 */
export async function changePassword(
  deps: Deps,
  actor: Actor,
  self: Self,
  input: FreshProof & { readonly newPassword: string },
): Promise<void> {
  const newPassword = parseNewPassword(input.newPassword, "newPassword");
  const proven = await requireFreshProof(deps, self, input);
  const passwordHash = await deps.hasher.hash(newPassword);
  await deps.transact(actor, async (tx) => {
    const member = await proven(tx);
    const { account } = member;
    await tx.accounts.updateAccount(account.id, { passwordHash });
    await tx.sessions.deleteSessionsOf(account.id, self.sessionId);
    await tx.codes.deleteCodesOf(account.id, "reset");
    await tx.mail(account, { template: "password-changed", username: usernameOf(member) });
  });
}

/** Sets the language of the mails that the account gets from now on. */
export async function changeLanguage(
  { transact }: Pick<Deps, "transact">,
  actor: Actor,
  { account }: Self,
  language: Language,
): Promise<void> {
  await transact(actor, ({ accounts }) => accounts.updateAccount(account.id, { language }));
}

/**
 * Mails a code to the new address, with where it was asked for (`address` is the client's); nothing changes
 * before the code comes back. Fails with invalid for a malformed address and with limited when the address
 * got too many mails, or the account asked for too many; what fails counts for nothing. An address that the
 * account has confirmed already fails with conflict; one that it has without that may be confirmed so. One
 * that another account owns fails with conflict or, where answers are uniform, its owner gets a mail instead
 * of the code.
 */
export async function requestMailChange(
  deps: Deps & {
    readonly codes: CodeSending;
    readonly pages: () => Pages;
    readonly uniformAnswers: boolean;
    readonly limits: Pick<RateLimits, "mailChange">;
  },
  actor: Actor,
  self: Self,
  input: FreshProof & { readonly mail: string; readonly address: string },
): Promise<void> {
  const mail = parseMail(input.mail);
  const proven = await requireFreshProof(deps, self, input);
  const use = { account: self.account.id };
  // Before the transaction, so that requests at once cannot pass together.
  await deps.limits.mailChange.take(use);
  try {
    await postMailChange(deps, actor, proven, { mail, address: input.address });
  } catch (cause) {
    await deps.limits.mailChange.refund(use);
    throw cause;
  }
}

async function postMailChange(
  deps: Pick<Deps, "transact"> & {
    readonly codes: CodeSending;
    readonly pages: () => Pages;
    readonly uniformAnswers: boolean;
  },
  actor: Actor,
  proven: ProvenSelf,
  input: { readonly mail: string; readonly address: string },
): Promise<void> {
  const { mail } = input;
  await deps.transact(actor, async (tx) => {
    const member = await proven(tx);
    const { account } = member;
    const origin = originOf(input.address, tx.now);
    const owner = await findMailOwner(tx.accounts, mail);
    const isOwn = owner?.account.id === account.id;
    if (isOwn && account.mailVerified) throw refusals.ownMail();
    if (owner !== null && !isOwn && !deps.uniformAnswers) throw refusals.mailTaken();
    // Also for a taken address: an earlier code that still worked would show that this address is taken.
    const code = await issueCode(tx, deps.codes, { account: account.id, purpose: "mail", mail });
    if (owner !== null && !isOwn) {
      const username = usernameOf(owner);
      return tx.mail(owner.account, { template: "address-taken", username, ...origin });
    }
    const shown = { code: showCode(code), link: deps.pages().confirmNewMail(code) };
    const username = usernameOf(member);
    return tx.mail({ ...account, mail }, { template: "change-mail", username, ...shown, ...origin });
  });
}

/**
 * Sets the address that a code was mailed to, ends every other session and mails a notice to an old address.
 * Uses the code up. Fails with invalid for a wrong code or another account's, with conflict when another
 * account owns the address by now.
 */
export async function confirmMailChange(
  deps: Deps & { readonly codes: CodeSending },
  actor: Actor,
  self: Self,
  input: FreshProof & { readonly code: string },
): Promise<void> {
  const proven = await requireFreshProof(deps, self, input);
  await deps.transact(actor, async (tx) => {
    const member = await proven(tx);
    const { account } = member;
    const code = await findValidCode(tx, deps.codes.hash, { text: input.code, purposes: ["mail"] });
    // Fails within the transaction, so the code stays good for the account that it was sent to.
    if (code.accountId !== account.id) throw refusals.badCode();
    await claimMail(tx.accounts, code.mail, account.id);
    await tx.accounts.updateAccount(account.id, { mail: code.mail, mailVerified: true });
    await settleRegistration(tx, account.id);
    await tx.sessions.deleteSessionsOf(account.id, self.sessionId);
    // Codes that went to the old address must not open the account any more.
    await tx.codes.deleteCodesOf(account.id);
    if (account.mail !== null && mailKey(account.mail) === mailKey(code.mail)) return;
    const notice = { template: "mail-changed", username: usernameOf(member), newMail: code.mail } as const;
    await tx.mail(account, notice);
  });
}
