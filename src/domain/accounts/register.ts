import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid, type SessionId } from "../../kernel/ids.ts";
import { showCode } from "../model/code.ts";
import { checkSendLimits, consumeCode, issueCode, type CodeSending } from "./issue-code.ts";
import type { Language, Origin } from "../model/mail.ts";
import { originOf } from "../mail/origin.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import { ownsItsMail, type Account, type Member, type Player } from "../model/account.ts";
import { findMember } from "./identifier.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer, chooseName } from "./player-name.ts";
import { addressTaken } from "./unconfirmed.ts";
import { parseUsername } from "../model/username.ts";

type Deps = {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly pages: Pages;
  /** Whether known and unknown addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/**
 * Makes an unconfirmed account without a player, and mails a code to its address; using the code sets this password. An
 * address that was registered before but never confirmed gets a further code, and the owner of the mailbox chooses one. Until
 * then the account has no password, because it is not known which one is the owner's. One that is somebody's fails with
 * conflict or, where answers are uniform, its owner gets a mail. Fails with invalid for a malformed field and with limited.
 * `address` is the client's, which the mail names.
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
  const at = deps.clock.nowSeconds();
  const origin = originOf(input.address, at);

  await deps.transact(async (stores) => {
    const known = await stores.accounts.findMember({ by: "mail", value: mailKey(mail) });
    if (known !== null && ownsItsMail(known)) return refuseTaken(deps, stores, known, { mail, origin, at });
    const { id } = known?.account ?? (await insertUnconfirmed(stores, { mail, passwordHash, language, at }));
    if (known !== null) {
      await stores.accounts.setPasswordHash(id, null);
      await stores.accounts.setLanguage(id, language);
    }
    const asked = { account: id, purpose: "confirm", mail, passwordHash, at } as const;
    const code = await issueCode(stores, deps.codes, asked);
    const link = deps.pages.confirm(code);
    const letter = { template: "confirm", code: showCode(code), link, ...origin } as const;
    await stores.outbox.insertMail({ to: mail, language, at, mail: letter });
  });
}

async function refuseTaken(
  deps: Deps,
  stores: Stores,
  { account, player }: Member,
  { mail, origin, at }: { readonly mail: string; readonly origin: Origin; readonly at: number },
): Promise<void> {
  if (!deps.uniformAnswers) throw addressTaken();
  await checkSendLimits(stores.outbox, deps.codes.limitFactor, mail, at);
  const letter = {
    template: "already-registered",
    username: player?.name ?? "",
    link: deps.pages.forgotPassword,
    ...origin,
  } as const;
  await stores.outbox.insertMail({ to: mail, language: account.language, at, mail: letter });
}

function insertUnconfirmed(
  stores: Stores,
  input: {
    readonly mail: string;
    readonly passwordHash: string;
    readonly language: Language;
    readonly at: number;
  },
): Promise<Account> {
  const { mail, passwordHash, language, at } = input;
  const fixed = { mailVerified: false, permanentLevel: 1, uuid: newUuid() } as const;
  return stores.accounts.insertAccount({ ...fixed, mail, passwordHash, language, createdAt: at });
}

/**
 * Confirms the address that a code was sent to, and sets the password of its registration. The account's sessions and the
 * codes of its other registrations end. An account that owned its address already (`ownsItsMail`) keeps its password and
 * sessions. Uses the code up. Fails with invalid for one that is not valid.
 */
export async function confirmMail(
  deps: Pick<Deps, "transact" | "clock" | "codes">,
  input: { readonly code: string },
): Promise<void> {
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const code = await consumeCode(stores, deps.codes.hash, { text: input.code, purpose: "confirm", at });
    const { accountId, mail, passwordHash } = code;
    const member = await findMember(stores.accounts, String(accountId));
    if (passwordHash !== null && !ownsItsMail(member)) {
      await stores.accounts.setPasswordHash(accountId, passwordHash);
      await stores.sessions.deleteSessionsOf(accountId);
    }
    await stores.accounts.setMail(accountId, { mail, mailVerified: true });
    await stores.codes.deleteCodesOf(accountId, "confirm");
  });
}

/**
 * Finishes a registration, once: sets the password and makes the player, which takes over the account's uuid. An account
 * that was made from a social one has its player already: it gets the name that is chosen now. Ends the account's other
 * sessions. Fails with conflict when it is finished or the name is taken or held, with invalid for a malformed or reserved
 * name and a bad password.
 */
export async function finishRegistration(
  deps: Pick<Deps, "transact" | "clock" | "hasher"> & { readonly usernamePattern: RegExp },
  { account, sessionId }: Member & { readonly sessionId: SessionId },
  input: { readonly username: string; readonly password: string },
): Promise<Player> {
  const username = parseUsername(input.username, deps.usernamePattern);
  const password = parseNewPassword(input.password);
  const passwordHash = await deps.hasher.hash(password);
  const at = deps.clock.nowSeconds();

  return deps.transact(async (stores) => {
    const member = await findMember(stores.accounts, String(account.id));
    const player = await nameMember(stores, member, username, at);
    await stores.accounts.setPasswordHash(account.id, passwordHash);
    await stores.sessions.deleteSessionsOf(account.id, sessionId);
    return player;
  });
}

/** A derived name without a password is the mark of who came from a social provider and has not finished. */
function nameMember(
  stores: Stores,
  { account, player }: Member,
  username: string,
  at: number,
): Promise<Player> {
  if (player === null) return addPlayer(stores, account, username, at);
  if (player.nameDerived && account.passwordHash === null) return chooseName(stores, player, username, at);
  throw new AppError("conflict", "This registration is finished already");
}
