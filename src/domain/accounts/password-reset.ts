import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { showCode } from "../model/code.ts";
import { checkSendLimits, consumeCode, findValidCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { Language, Origin } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { Post } from "../ports/outbox-store.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads, Stores, Transact } from "../ports/stores.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import { noticePassword } from "./notices.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock; readonly codes: CodeSending };

/**
 * Mails a code with which the account's password can be set anew. An address that nobody has fails with invalid or, where
 * answers are uniform, gets a mail that says so. Fails with limited when the address got too many mails. `address` is the
 * client's, which the mail names.
 */
export async function forgetPassword(
  deps: Deps & { readonly pages: Pages; readonly uniformAnswers: boolean },
  input: { readonly mail: string; readonly language: Language; readonly address: string },
): Promise<void> {
  const mail = parseMail(input.mail);
  const at = deps.clock.nowSeconds();
  const origin = originOf(input.address, at);
  await deps.transact(async (stores) => {
    const member = await stores.accounts.findMember({ by: "mail", value: mailKey(mail) });
    if (member === null)
      return answerUnknown(deps, stores, { to: mail, language: input.language, at, origin });
    const { account, player } = member;
    const to = account.mail ?? mail;
    const code = await issueCode(stores, deps.codes, { account: account.id, purpose: "reset", mail: to, at });
    const link = deps.pages.resetPassword(code);
    const shown = { username: player?.name ?? "", code: showCode(code), link };
    const letter = { template: "reset", ...shown, ...origin } as const;
    await stores.outbox.insertMail({ to, language: account.language, at, mail: letter });
  });
}

async function answerUnknown(
  deps: Deps & { readonly uniformAnswers: boolean },
  stores: Stores,
  { origin, ...post }: Omit<Post, "mail"> & { readonly origin: Origin },
): Promise<void> {
  // The contract's words for a reset that fails (Errors, specific cases).
  if (!deps.uniformAnswers) throw new AppError("invalid", "Invalid email or password");
  await checkSendLimits(stores.outbox, deps.codes.limitFactor, post.to, post.at);
  await stores.outbox.insertMail({ ...post, mail: { template: "unknown-address", ...origin } });
}

/** Tells whether a reset code is good, without using it up. Fails with invalid when it is not. */
export async function checkResetCode(
  deps: { readonly reads: Reads; readonly clock: Clock; readonly codes: CodeSending },
  input: { readonly code: string },
): Promise<void> {
  const at = deps.clock.nowSeconds();
  await findValidCode(deps.reads.codes, deps.codes.hash, { text: input.code, purpose: "reset", at });
}

/**
 * Sets a password by a reset code, which is used up and proves the address that it was sent to. Ends every session of the
 * account and mails a notice. Fails with invalid for a code that is not good and for a password outside the rules.
 */
export async function resetPassword(
  deps: Deps & { readonly hasher: PasswordHasher; readonly reads: Reads },
  input: { readonly code: string; readonly password: string },
): Promise<void> {
  const password = parseNewPassword(input.password);
  // Looked at before the hash is made, so that guessing codes costs the guesser more than us.
  await checkResetCode(deps, input);
  const passwordHash = await deps.hasher.hash(password);
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const code = await consumeCode(stores, deps.codes.hash, { text: input.code, purpose: "reset", at });
    const member = await stores.accounts.findMember({ by: "id", value: code.accountId });
    if (member === null)
      throw new AppError("invalid", "code: is wrong, was used or has expired; ask for a new one");
    const { account } = member;
    await stores.accounts.setPasswordHash(account.id, passwordHash);
    await stores.accounts.setMail(account.id, { mail: code.mail, mailVerified: true });
    await stores.sessions.deleteSessionsOf(account.id);
    await stores.codes.deleteCodesOf(account.id);
    // A change of the address ends its codes, so the code's address is the account's.
    await noticePassword(stores.outbox, member, at);
  });
}
