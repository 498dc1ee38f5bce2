import type { AppError } from "../../kernel/errors.ts";
import { newUuid, type AccountId, type SessionId } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import { showCode } from "../model/code.ts";
import { findValidCode, issueCode, sendRefusal, type CodeSending } from "./issue-code.ts";
import type { Language } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { anonymous } from "../model/actor.ts";
import { ownsItsMail, registrationOf, usernameOf, type Member, type Player } from "../model/account.ts";
import { findMember } from "./identifier.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer, chooseName } from "./player-name.ts";
import type { UuidRule } from "../model/player-uuid.ts";
import {
  compareRegistration,
  keepRegistrationPassword,
  type GivenPassword,
} from "./registration-password.ts";
import { parseUsername } from "../model/username.ts";

type Deps = {
  readonly transact: Transact;
  readonly reads: Pick<Reads, "accounts">;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly pages: Pages;
  /** Whether known and unknown addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/** Who registers: `address` is the client's, which the mail names. */
type Registration = {
  readonly mail: string;
  readonly password: string;
  readonly language: Language;
  readonly address: string;
};

/**
 * Makes an unconfirmed account without a player, and mails a code to its address. An address that was registered before but never
 * confirmed gets a further code. Passwords that differ are kept, and the owner of the mailbox chooses one (`confirmMail`); until
 * then the account has no password. They are kept also where this fails with limited, because the address got too many mails:
 * the code of an earlier registration must not make that one's password count alone. An address that another account owns fails
 * with conflict or, where answers are uniform, its owner gets a mail. Fails with invalid for a malformed field.
 */
export async function register(deps: Deps, input: Registration): Promise<void> {
  const mail = parseMail(input.mail);
  const password = parseNewPassword(input.password);
  const passwordHash = await deps.hasher.hash(password);
  for (let run = 1; run <= comparisonsMax; run++) {
    const given = await compareRegistration(deps, { mail, password, passwordHash });
    const result = await deps.transact(anonymous, (tx) =>
      takeRegistration(tx, deps, { ...input, mail }, given),
    );
    if (result === null) return;
    if (result !== "changed") throw result;
  }
  throw refusals.contended();
}

/** Registrations of one address at once turn its password from none into one, and into several, which stay. */
const comparisonsMax = 3;

/** Helps a person whose registration is kept but not mailed. */
const hint =
  "a code in the mailbox may be of somebody else's registration with another password, so give yours along with it or set a new one by it";

/** Null once it is mailed, why it is not, or that the account has another password than the one that was compared. */
async function takeRegistration(
  tx: Tx,
  deps: Deps,
  { mail, language, address }: Registration,
  given: GivenPassword,
): Promise<AppError | "changed" | null> {
  const origin = originOf(address, tx.now);
  const { limitFactor } = deps.codes;
  const known = await tx.accounts.findMember({ by: "mail", value: mailKey(mail) });
  if (known !== null && ownsItsMail(known.account)) {
    const { account } = known;
    if (!deps.uniformAnswers) throw refusals.mailTaken();
    const refused = await sendRefusal(tx, limitFactor, mail, hint);
    if (refused !== null) return refused;
    const shown = { username: usernameOf(known), link: deps.pages.forgotPassword };
    await tx.mail({ ...account, mail }, { template: "already-registered", ...shown, ...origin });
    return null;
  }
  if ((known?.account.passwordHash ?? null) !== given.comparedWith) return "changed";
  if (known !== null) await keepRegistrationPassword(tx, known.account, given);
  const { passwordHash } = given;
  const { id } = known?.account ?? (await insertUnconfirmed(tx, { mail, passwordHash, language }));
  const refused = await sendRefusal(tx, limitFactor, mail, hint);
  if (refused !== null) return refused;
  await tx.accounts.updateAccount(id, { language });
  const code = await issueCode(tx, deps.codes, { account: id, purpose: "confirm", mail });
  const shown = { code: showCode(code), link: deps.pages.confirm(code) };
  await tx.mail({ mail, language }, { template: "confirm", ...shown, ...origin });
  return null;
}

function insertUnconfirmed(
  { accounts, now }: Tx,
  row: { readonly mail: string; readonly passwordHash: string; readonly language: Language },
) {
  const fixed = { registration: "unconfirmed", mailVerified: false, permanentLevel: 1 } as const;
  return accounts.insertAccount({ ...fixed, ...row, uuid: newUuid(), createdAt: now });
}

/** What a confirmation makes of an account. */
export type Confirmed = {
  readonly member: Member;
  /** Whether the account begins with it: it did not own its address before (`ownsItsMail`). */
  readonly isNew: boolean;
};

/**
 * Confirms the address that a code was sent to; `chosen` is the hash of a registration's password that was given along with it
 * (`findRegistrationPassword`), null without one. Where the account has a password, which all registrations share, or gets the
 * chosen one, the registration's codes are used up. Else it has none yet, and the code stays good for setting one
 * (`resetPassword`). Sessions of a new account, and of one that gets a password, end. Fails with invalid for a wrong code.
 */
export async function useConfirmation(
  tx: Tx,
  codes: Pick<CodeSending, "hash">,
  { code: text, chosen }: { readonly code: string; readonly chosen: string | null },
): Promise<Confirmed> {
  const { accountId, mail } = await findValidCode(tx, codes.hash, { text, purposes: ["confirm"] });
  const { account } = await findMember(tx.accounts, accountId);
  const isNew = !ownsItsMail(account);
  const passwordHash = account.passwordHash ?? chosen;
  await tx.accounts.updateAccount(accountId, { mail, mailVerified: true, passwordHash });
  if (isNew || passwordHash !== account.passwordHash) await tx.sessions.deleteSessionsOf(accountId);
  if (passwordHash !== null) await tx.codes.deleteCodesOf(accountId, "confirm");
  return { member: await settleRegistration(tx, accountId), isNew };
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
