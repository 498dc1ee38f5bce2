import type { Clock } from "../../kernel/clock.ts";
import { refusals } from "../model/refusals.ts";
import { ownsItsMail, usernameOf, type Member } from "../model/account.ts";
import { anonymous } from "../model/actor.ts";
import { showCode } from "../model/code.ts";
import type { Language } from "../model/mail.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import { parseNewPassword } from "../model/password.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads, Stores } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { findValidCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { Pages } from "./pages.ts";
import { settleRegistration } from "./register.ts";

type Deps = {
  readonly transact: Transact;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly pages: () => Pages;
  /** Whether known and unknown addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

type Claim = {
  readonly code: string;
  readonly mail: string;
  readonly password: string;
  readonly language: Language;
  /** The client's address, which the mail names. */
  readonly address: string;
};

/**
 * Sets mail address, password and language of an account that came from another system without them, for the
 * person who has its code. The code is used up. The address counts as unconfirmed, and a code is mailed to it
 * (`useConfirmation`). It becomes the account's with that code only, where answers are uniform: signing in
 * would otherwise show whether another account owns it. The same holds for an address that another account
 * has without owning it. An address that another account owns fails with conflict or, where answers are
 * uniform, its owner gets a mail instead of the code. Fails with invalid for a wrong or used code, for one of
 * an account that has got an address, a password or a social account since, and for a malformed field; with
 * limited when the address got too many mails. What fails uses nothing up. Resolves to the name that signs
 * in.
 */
export async function claimAccount(deps: Deps, input: Claim): Promise<string> {
  const mail = parseMail(input.mail);
  const password = parseNewPassword(input.password);
  const { reads, clock } = deps;
  // Before the password is hashed, so that guessing codes costs us little.
  await findUnclaimed({ ...reads, now: clock.nowSeconds() }, deps, input.code);
  const passwordHash = await deps.hasher.hash(password);
  return deps.transact(anonymous, async (tx) => {
    const { account } = await findUnclaimed(tx, deps, input.code);
    const known = await tx.accounts.findMember({ by: "mail", value: mailKey(mail) });
    const owner = known !== null && ownsItsMail(known.account) ? known : null;
    if (owner !== null && !deps.uniformAnswers) throw refusals.mailTaken();
    const isFree = known === null && !deps.uniformAnswers;
    const { language } = input;
    await tx.accounts.updateAccount(account.id, { passwordHash, language, ...(isFree ? { mail } : {}) });
    await tx.codes.deleteCodesOf(account.id);
    const claimed = await settleRegistration(tx, account.id);
    await mailCode(tx, deps, { claimed, owner, mail, address: input.address });
    return usernameOf(claimed) || ((await tx.aliases.listAliases(account.id)).at(0)?.name ?? "");
  });
}

/**
 * The account of a claim's code, while it has no way to sign in. Fails with invalid for every other code.
 */
async function findUnclaimed(
  at: Pick<Stores | Reads, "accounts" | "codes" | "identities"> & { readonly now: number },
  { codes }: Pick<Deps, "codes">,
  text: string,
): Promise<Member> {
  const { accountId } = await findValidCode(at, codes.hash, { text, purposes: ["claim"] });
  const member = await at.accounts.findMember({ by: "id", value: accountId });
  const identity = await at.identities.findIdentityOf(accountId);
  if (member === null || identity !== null) throw refusals.badCode();
  const { mail, passwordHash } = member.account;
  if (mail !== null || passwordHash !== null) throw refusals.badCode();
  return member;
}

async function mailCode(
  tx: Tx,
  { codes, pages }: Pick<Deps, "codes" | "pages">,
  {
    claimed,
    owner,
    mail,
    address,
  }: { readonly claimed: Member; readonly owner: Member | null } & Pick<Claim, "mail" | "address">,
): Promise<void> {
  const origin = originOf(address, tx.now);
  const { account } = claimed;
  // Also for an owned address: the time and the limit on mails are those of a free one.
  const code = await issueCode(tx, codes, { account: account.id, purpose: "confirm", mail });
  if (owner !== null) {
    await tx.mail(owner.account, { template: "address-taken", username: usernameOf(owner), ...origin });
    return;
  }
  const shown = { username: usernameOf(claimed), code: showCode(code), link: pages().confirm(code) };
  await tx.mail({ ...account, mail }, { template: "claim", ...shown, ...origin });
}
