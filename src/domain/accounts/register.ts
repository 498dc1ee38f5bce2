import { AppError } from "../../kernel/errors.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newUuid, type AccountId, type SessionId } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import { readCode, showCode } from "../model/code.ts";
import { findValidCode, issueCode, sendRefusal, type CodeSending } from "./issue-code.ts";
import type { Language, Origin } from "../model/mail.ts";
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
import type { Rules } from "../model/rules.ts";
import {
  compareRegistration,
  keepRegistrationPassword,
  type GivenPassword,
} from "./registration-password.ts";
import { claimMail } from "./unconfirmed.ts";
import { parseUsername } from "../model/username.ts";

type Deps = {
  readonly transact: Transact;
  readonly reads: Pick<Reads, "accounts">;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly pages: () => Pages;
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
 * Makes an unconfirmed account without a player, and mails a code to its address. An address that was
 * registered before but never confirmed gets a further code. Passwords that differ are kept, and the owner of
 * the mailbox chooses one (`confirmMail`); until then the account has no password. They are kept also where
 * this fails with limited, because the address got too many mails: the code of an earlier registration must
 * not make that one's password count alone. An address that another account owns fails with conflict or,
 * where answers are uniform, its owner gets a mail. Fails with invalid for a malformed field.
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

/**
 * Registers an address alone, as the console does: its password is chosen after the address was confirmed
 * (`confirmForName`), so what strangers register brings none along. A password that another registration gave
 * no longer counts alone: it is kept, as differing ones are (`register`). An account that was confirmed and
 * never named gets a further code, so a person who closed the page goes on. Fails as `register` does.
 */
export async function registerAddress(
  deps: Omit<Deps, "reads" | "hasher">,
  input: Omit<Registration, "password">,
): Promise<void> {
  const mail = parseMail(input.mail);
  const result = await deps.transact(anonymous, (tx) => takeRegistration(tx, deps, { ...input, mail }, null));
  if (result !== null && result !== "changed") throw result;
}

/**
 * Concurrent registrations of one address take its password from none to one and then to several, which
 * stays.
 */
const comparisonsMax = 3;

/** Helps a person whose registration is kept but not mailed. */
const hint =
  "a code in the mailbox may be of somebody else's registration with another password, so give yours along with it or set a new one by it";

/**
 * Returns null once the mail is posted, else why it is not, or that the account's password differs from the
 * compared one. `given` is null for an address that is registered alone.
 */
async function takeRegistration(
  tx: Tx,
  deps: Pick<Deps, "codes" | "pages" | "uniformAnswers">,
  { mail, language, address }: Omit<Registration, "password">,
  given: GivenPassword | null,
): Promise<AppError | "changed" | null> {
  const origin = originOf(address, tx.now);
  const refusal = () => sendRefusal(tx, deps.codes.limitFactor, mail, given === null ? undefined : hint);
  const known = await tx.accounts.findMember({ by: "mail", value: mailKey(mail) });
  const isOwned = known !== null && ownsItsMail(known.account);
  if (isOwned && (given !== null || !isUnstarted(known))) {
    if (!deps.uniformAnswers) throw refusals.mailTaken();
    return (await refusal()) ?? mailOwner(tx, deps, known, { mail, origin });
  }
  if (given !== null && (known?.account.passwordHash ?? null) !== given.comparedWith) return "changed";
  if (known !== null && !isOwned) await keepRegistrationPassword(tx, known.account, given);
  const { id } = known?.account ?? (await insertUnconfirmed(tx, { mail, language }, given));
  const refused = await refusal();
  if (refused !== null) return refused;
  await tx.accounts.updateAccount(id, { language });
  await mailCode(tx, deps, { id, mail, language, origin });
  return null;
}

async function mailOwner(
  tx: Tx,
  { pages }: Pick<Deps, "pages">,
  known: Member,
  { mail, origin }: { readonly mail: string; readonly origin: Origin },
): Promise<null> {
  const shown = { username: usernameOf(known), link: pages().forgotPassword };
  await tx.mail({ ...known.account, mail }, { template: "already-registered", ...shown, ...origin });
  return null;
}

async function mailCode(
  tx: Tx,
  { codes, pages }: Pick<Deps, "codes" | "pages">,
  {
    id,
    mail,
    language,
    origin,
  }: { readonly id: AccountId; readonly origin: Origin } & Pick<Registration, "mail" | "language">,
): Promise<void> {
  const code = await issueCode(tx, codes, { account: id, purpose: "confirm", mail });
  const shown = { code: showCode(code), link: pages().confirm(code) };
  await tx.mail({ mail, language }, { template: "confirm", ...shown, ...origin });
}

function insertUnconfirmed(
  { accounts, now }: Tx,
  row: { readonly mail: string; readonly language: Language },
  given: GivenPassword | null,
) {
  const passwordHash = given?.passwordHash ?? null;
  const fixed = { registration: "unconfirmed", mailVerified: false, permanentLevel: 1 } as const;
  return accounts.insertAccount({ ...fixed, ...row, passwordHash, uuid: newUuid(), createdAt: now });
}

/**
 * Confirms the address that a code was sent to; `chosen` is the hash of a registration's password that was
 * given along with it (`findRegistrationPassword`), null without one. Where the account has a password, which
 * all registrations share, or gets the chosen one, the registration's codes are used up. Else it has none
 * yet, and the code stays good for setting one (`resetPassword`). Sessions of a new account, and of one that
 * gets a password, end. Fails with invalid for a wrong code.
 */
export async function useConfirmation(
  tx: Tx,
  codes: Pick<CodeSending, "hash">,
  { code: text, chosen }: { readonly code: string; readonly chosen: string | null },
): Promise<Member> {
  const { accountId, mail } = await findValidCode(tx, codes.hash, { text, purposes: ["confirm"] });
  const { account } = await findMember(tx.accounts, accountId);
  const isNew = !ownsItsMail(account);
  const passwordHash = account.passwordHash ?? chosen;
  await claimMail(tx.accounts, mail, accountId);
  await tx.accounts.updateAccount(accountId, { mail, mailVerified: true, passwordHash });
  if (isNew || passwordHash !== account.passwordHash) await tx.sessions.deleteSessionsOf(accountId);
  if (passwordHash !== null) await tx.codes.deleteCodesOf(accountId, "confirm");
  return settleRegistration(tx, accountId);
}

/**
 * Confirms the address that a code was sent to, for a person who chooses name and password next
 * (`finishRegistration`). The account loses every password that was given for it and every session, because a
 * stranger may have registered it: the mailbox alone counts. The code is used up, with the others of its
 * registration. Returns the member, and null for an account that has a player or was given a level, which is
 * confirmed as `useConfirmation` does: its owner signs in. Fails with invalid for a wrong code.
 */
export async function confirmForName(
  tx: Tx,
  codes: Pick<CodeSending, "hash">,
  text: string,
): Promise<Member | null> {
  const { accountId, mail } = await findValidCode(tx, codes.hash, { text, purposes: ["confirm"] });
  if (!isUnstarted(await findMember(tx.accounts, accountId))) {
    await useConfirmation(tx, codes, { code: text, chosen: null });
    return null;
  }
  await claimMail(tx.accounts, mail, accountId);
  await tx.accounts.updateAccount(accountId, { mail, mailVerified: true, passwordHash: null });
  await tx.sessions.deleteSessionsOf(accountId);
  await tx.codes.deleteCodesOf(accountId, "confirm");
  return settleRegistration(tx, accountId);
}

/** Whether an account holds nothing but an address: it has no player, and was given no level. */
function isUnstarted({ account: { permanentLevel, temporaryLevel }, player }: Member): boolean {
  return player === null && permanentLevel === 1 && temporaryLevel === null;
}

/**
 * The address that a code of a registration was sent to, which the page shows before the code is used; null
 * for a wrong code. Uses nothing up. Fails with invalid for a text that is no code.
 */
export async function addressOfCode(
  {
    reads,
    clock,
    codes,
  }: { readonly reads: Pick<Reads, "codes">; readonly clock: Clock } & Pick<Deps, "codes">,
  text: string,
): Promise<string | null> {
  const at = { codes: reads.codes, now: clock.nowSeconds() };
  if (readCode(text) === null) throw refusals.badCode();
  try {
    return (await findValidCode(at, codes.hash, { text, purposes: ["confirm"] })).mail;
  } catch (cause) {
    if (cause instanceof AppError && cause.kind === "invalid") return null;
    throw cause;
  }
}

/**
 * Finishes a registration, once: sets the password and makes the player, with the account's uuid. An account
 * that was made from a social one has its player already, which gets the name that is chosen now. Ends the
 * account's other sessions, and the codes of its registration. Fails with conflict when the registration is
 * finished or the name is taken or held, with forbidden while the address is unconfirmed, with invalid for a
 * malformed or reserved name and a bad password.
 */
export async function finishRegistration(
  deps: Pick<Deps, "transact" | "hasher"> & {
    readonly rules: Pick<Rules, "names" | "players">;
  },
  actor: Actor,
  { account, sessionId }: Member & { readonly sessionId: SessionId },
  input: { readonly username: string; readonly password: string },
): Promise<Player> {
  const username = parseUsername(input.username, deps.rules.names.pattern);
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));

  return deps.transact(actor, async (tx) => {
    const { account: now, player } = await findMember(tx.accounts, account.id);
    if (now.registration === "complete") throw refusals.finished();
    // Staff took the confirmation back. Finishing would make the address the account's own without proof.
    if (now.registration === "unconfirmed") throw refusals.unconfirmed();
    const named =
      player === null
        ? await addPlayer(tx, now, { name: username, uuid: null }, deps.rules.players)
        : await chooseName(tx, player, username, deps.rules.players);
    await tx.accounts.updateAccount(now.id, { passwordHash });
    await settleRegistration(tx, now.id);
    await tx.sessions.deleteSessionsOf(now.id, sessionId);
    await tx.codes.deleteCodesOf(now.id, "confirm");
    return named;
  });
}

/**
 * Stores how far an account's registration is (`registrationOf`), after a change of its address, password or
 * player in the same transaction. Returns the member as they are now.
 */
export async function settleRegistration({ accounts }: Tx, id: AccountId): Promise<Member> {
  const member = await findMember(accounts, id);
  const registration = registrationOf(member);
  if (registration !== member.account.registration) await accounts.updateAccount(id, { registration });
  return { ...member, account: { ...member.account, registration } };
}
