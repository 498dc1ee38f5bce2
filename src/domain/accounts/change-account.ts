import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { showCode } from "../model/code.ts";
import { consumeCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { Origin } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import { memberActor } from "../model/actor.ts";
import { playerOf, type Member } from "../model/account.ts";
import { checkCurrentPassword, unchangedSince, type Self } from "./current-password.ts";
import { parseMail } from "../model/mail-address.ts";
import { noticeMail, noticePassword } from "./notices.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { renameOwnPlayer } from "./player-name.ts";
import { addressTaken, claimMail, findMailOwner } from "./unconfirmed.ts";
import { parseUsername } from "../model/username.ts";

/** What members change of their own accounts. All of it asks for the current password, which fails with invalid, or with limited when it was tried too often. */

type Deps = {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly attempt: PasswordAttempt;
};

/**
 * Gives the member's player another name; the old one is held for them. Uuid and skins stay. Writes audit unless nothing
 * changed. Fails with invalid for a malformed or reserved name, with conflict for one that is taken or held, with limited
 * as `renameOwnPlayer` does.
 */
export async function changeUsername(
  deps: Deps & {
    readonly usernamePattern: RegExp;
    readonly nameHoldSeconds: number;
    readonly renameSeconds: number;
  },
  self: Self,
  input: { readonly username: string; readonly password: string },
): Promise<void> {
  const username = parseUsername(input.username, deps.usernamePattern);
  await checkCurrentPassword(deps, self.account, input.password);
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const member = await unchangedSince(stores, self);
    const owned = { account: member.account, player: playerOf(member) };
    const { nameHoldSeconds, renameSeconds } = deps;
    await renameOwnPlayer(stores, owned, username, { at, heldUntil: at + nameHoldSeconds, renameSeconds });
    const old = owned.player.name;
    if (username === old) return;
    const entry = { actor: memberActor(self), action: "user.rename", forAccountId: member.account.id, at };
    await stores.audit.append({ ...entry, detail: { old: { username: old }, new: { username } } });
  });
}

/** Sets a new password, ends every other session and mails a notice. Fails with invalid for one outside the rules. */
export async function changePassword(
  deps: Deps,
  self: Self,
  input: { readonly password: string; readonly newPassword: string },
): Promise<void> {
  const newPassword = parseNewPassword(input.newPassword, "newpassword");
  await checkCurrentPassword(deps, self.account, input.password);
  const hash = await deps.hasher.hash(newPassword);
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const member = await unchangedSince(stores, self);
    const { account } = member;
    await stores.accounts.setPasswordHash(account.id, hash);
    await stores.sessions.deleteSessionsOf(account.id, self.sessionId);
    await stores.codes.deleteCodesOf(account.id, "reset");
    await noticePassword(stores.outbox, member, at);
  });
}

/**
 * Mails a code to the new address, with where it was asked for (`address` is the client's); nothing changes before it comes
 * back. Fails with invalid for a malformed address and with limited when it got too many mails. One that is somebody's fails
 * with conflict or, where answers are uniform, its owner gets a mail instead of the code.
 */
export async function requestMailChange(
  deps: Deps & {
    readonly codes: CodeSending;
    readonly pages: Pages;
    readonly uniformAnswers: boolean;
  },
  self: Self,
  input: { readonly mail: string; readonly password: string; readonly address: string },
): Promise<void> {
  const mail = parseMail(input.mail);
  await checkCurrentPassword(deps, self.account, input.password);
  const at = deps.clock.nowSeconds();
  const origin = originOf(input.address, at);
  await deps.transact(async (stores) => {
    const { account, player } = await unchangedSince(stores, self);
    const owner = await findMailOwner(stores.accounts, mail);
    if (owner?.account.id === account.id) throw new AppError("conflict", "mail: is your address already");
    if (owner !== null && !deps.uniformAnswers) throw addressTaken();
    // In both cases: it replaces the code before, and one that still worked would show that this address is taken.
    const code = await issueCode(stores, deps.codes, { account: account.id, purpose: "mail", mail, at });
    if (owner !== null) return tellOwner(stores, owner, { origin, at });
    const shown = {
      username: player?.name ?? "",
      code: showCode(code),
      link: deps.pages.confirmNewMail(code),
    };
    const letter = { template: "change-mail", ...shown, ...origin } as const;
    await stores.outbox.insertMail({ to: mail, language: account.language, at, mail: letter });
  });
}

async function tellOwner(
  { outbox }: Stores,
  { account, player }: Member,
  { origin, at }: { readonly origin: Origin; readonly at: number },
): Promise<void> {
  if (account.mail === null) return;
  const letter = { template: "address-taken", username: player?.name ?? "", ...origin } as const;
  await outbox.insertMail({ to: account.mail, language: account.language, at, mail: letter });
}

/**
 * Sets the address that a code was mailed to, ends every other session and mails a notice to the old address. Uses the code
 * up. Fails with invalid for a code that is not good or another's, with conflict when the address is somebody's by now.
 */
export async function confirmMailChange(
  deps: Deps & { readonly codes: CodeSending },
  self: Self,
  input: { readonly code: string; readonly password: string },
): Promise<void> {
  await checkCurrentPassword(deps, self.account, input.password);
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const member = await unchangedSince(stores, self);
    const { account } = member;
    const code = await consumeCode(stores, deps.codes.hash, { text: input.code, purpose: "mail", at });
    if (code.accountId !== account.id) {
      // Thrown within the transaction, so the code stays good for whom it was sent to.
      throw new AppError("invalid", "code: is wrong, was used or has expired; ask for a new one");
    }
    await claimMail(stores.accounts, code.mail);
    await stores.accounts.setMail(account.id, { mail: code.mail, mailVerified: true });
    await stores.sessions.deleteSessionsOf(account.id, self.sessionId);
    // Codes that went to the old address must not open the account any more.
    await stores.codes.deleteCodesOf(account.id);
    await noticeMail(stores.outbox, member, code.mail, at);
  });
}
