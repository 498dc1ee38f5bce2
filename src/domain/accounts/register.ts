import { newUuid, type AccountId, type SessionId } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import { showCode } from "../model/code.ts";
import { checkSendLimits, consumeCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { Language } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { anonymous } from "../model/actor.ts";
import { ownsItsMail, registrationOf, usernameOf, type Member, type Player } from "../model/account.ts";
import { findMember } from "./identifier.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer, chooseName } from "./player-name.ts";
import type { UuidRule } from "../model/player-uuid.ts";
import { parseUsername } from "../model/username.ts";

type Deps = {
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly pages: Pages;
  /** Whether known and unknown addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/**
 * Makes an unconfirmed account without a player, and mails a code to its address; using the code sets this password. An
 * address that was registered before but never confirmed gets a further code, and the owner of the mailbox chooses one. Until
 * then the account has no password, because it is not known which one is the owner's. An address that another account owns
 * fails with conflict or, where answers are uniform, its owner gets a mail. Fails with invalid for a malformed field and with
 * limited. `address` is the client's, which the mail names.
 */
export async function register(
  deps: Deps,
  input: {
    readonly mail: string;
    readonly password: string;
    readonly language: Language;
    readonly address: string;
  },
): Promise<void> {
  const mail = parseMail(input.mail);
  const { language } = input;
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));

  await deps.transact(anonymous, async (tx) => {
    const origin = originOf(input.address, tx.now);
    const known = await tx.accounts.findMember({ by: "mail", value: mailKey(mail) });
    if (known !== null && ownsItsMail(known.account)) {
      const { account } = known;
      if (!deps.uniformAnswers) throw refusals.mailTaken();
      await checkSendLimits(tx, deps.codes.limitFactor, mail);
      const shown = { username: usernameOf(known), link: deps.pages.forgotPassword };
      return tx.mail({ ...account, mail }, { template: "already-registered", ...shown, ...origin });
    }
    const { id } = known?.account ?? (await insertUnconfirmed(tx, { mail, passwordHash, language }));
    if (known !== null) {
      await tx.accounts.updateAccount(id, { passwordHash: null, language });
    }
    const code = await issueCode(tx, deps.codes, { account: id, purpose: "confirm", mail, passwordHash });
    const link = deps.pages.confirm(code);
    return tx.mail({ mail, language }, { template: "confirm", code: showCode(code), link, ...origin });
  });
}

function insertUnconfirmed(
  { accounts, now }: Tx,
  row: { readonly mail: string; readonly passwordHash: string; readonly language: Language },
) {
  const fixed = { registration: "unconfirmed", mailVerified: false, permanentLevel: 1 } as const;
  return accounts.insertAccount({ ...fixed, ...row, uuid: newUuid(), createdAt: now });
}

/**
 * Confirms the address that a code was sent to, and sets the password of its registration. The account's sessions and the
 * codes of its other registrations end. An account that owned its address already (`ownsItsMail`) keeps its password and
 * sessions. Uses the code up. Fails with invalid for a wrong one.
 */
export async function confirmMail(
  { transact, codes }: Pick<Deps, "transact" | "codes">,
  { code }: { readonly code: string },
): Promise<void> {
  await transact(anonymous, (tx) => useConfirmation(tx, codes, code));
}

/** Does this in a transaction. Gives the member whose account begins with it; null for an account that owned its address already. */
export async function useConfirmation(
  tx: Tx,
  codes: Pick<CodeSending, "hash">,
  text: string,
): Promise<Member | null> {
  const code = await consumeCode(tx, codes.hash, { text, purpose: "confirm" });
  const { accountId, mail, passwordHash } = code;
  const { account } = await findMember(tx.accounts, accountId);
  const isNew = !ownsItsMail(account);
  if (passwordHash !== null && isNew) {
    await tx.accounts.updateAccount(accountId, { passwordHash });
    await tx.sessions.deleteSessionsOf(accountId);
  }
  await tx.accounts.updateAccount(accountId, { mail, mailVerified: true });
  const member = await settleRegistration(tx, accountId);
  await tx.codes.deleteCodesOf(accountId, "confirm");
  return isNew ? member : null;
}

/**
 * Finishes a registration, once: sets the password and makes the player, with the account's uuid. An account that was made
 * from a social one has its player already, which gets the name that is chosen now. Ends the account's other
 * sessions. Fails with conflict when the registration is finished or the name is taken or held, with forbidden while the
 * address is unconfirmed, with invalid for a malformed or reserved name and a bad password.
 */
export async function finishRegistration(
  deps: Pick<Deps, "transact" | "hasher"> & {
    readonly usernamePattern: RegExp;
    readonly playerRules: { readonly uuids: UuidRule };
  },
  actor: Actor,
  { account, sessionId }: Member & { readonly sessionId: SessionId },
  input: { readonly username: string; readonly password: string },
): Promise<Player> {
  const username = parseUsername(input.username, deps.usernamePattern);
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));

  return deps.transact(actor, async (tx) => {
    const { account: now, player } = await findMember(tx.accounts, account.id);
    if (now.registration === "complete") throw refusals.finished();
    // Staff took the confirmation back. Finishing would make the address the account's own without proof.
    if (now.registration === "unconfirmed") throw refusals.unconfirmed();
    const named =
      player === null
        ? await addPlayer(tx, now, { name: username, uuid: null }, deps.playerRules)
        : await chooseName(tx, player, username, deps.playerRules);
    await tx.accounts.updateAccount(now.id, { passwordHash });
    await settleRegistration(tx, now.id);
    await tx.sessions.deleteSessionsOf(now.id, sessionId);
    return named;
  });
}

/**
 * Stores how far an account's registration is (`registrationOf`), after a change of its address, password or player in the same
 * transaction. Returns the member as they are now.
 */
export async function settleRegistration({ accounts }: Tx, id: AccountId): Promise<Member> {
  const member = await findMember(accounts, id);
  const registration = registrationOf(member);
  if (registration !== member.account.registration) await accounts.updateAccount(id, { registration });
  return { ...member, account: { ...member.account, registration } };
}
