import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid, type SessionId } from "../../kernel/ids.ts";
import { showCode } from "../codes/code.ts";
import { checkSendLimits, consumeCode, issueCode, type CodeSending } from "../codes/issue-code.ts";
import type { Language } from "../mail/mail.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports.ts";
import type { Stores, Transact } from "../stores.ts";
import { ownsItsMail, type Account, type Member, type Player } from "./account.ts";
import { findMember } from "./identifier.ts";
import { mailKey, parseMail } from "./mail-address.ts";
import type { Pages } from "./pages.ts";
import { parseNewPassword } from "./password.ts";
import { addPlayer, chooseName } from "./player-name.ts";
import { parseUsername } from "./username.ts";

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
 * Makes an unconfirmed account without a player and mails a code to its address. For an address that was registered
 * before but never confirmed, the password is replaced and a new code sent. One that is somebody's fails with conflict or,
 * where answers are uniform, tells its owner by mail. Fails with invalid for a malformed field and with limited.
 */
export async function register(
  deps: Deps,
  input: { readonly mail: string; readonly password: string; readonly language: Language },
): Promise<void> {
  const mail = parseMail(input.mail);
  const { language } = input;
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));
  const at = deps.clock.nowSeconds();

  await deps.transact(async (stores) => {
    const known = await stores.accounts.findMember({ by: "mail", value: mailKey(mail) });
    if (known !== null && ownsItsMail(known)) return refuseTaken(deps, stores, known, { mail, at });
    const account = known?.account ?? (await insertUnconfirmed(stores, { mail, passwordHash, language, at }));
    if (known !== null) {
      await stores.accounts.setPasswordHash(account.id, passwordHash);
      await stores.accounts.setLanguage(account.id, language);
      await stores.sessions.deleteSessionsOf(account.id);
    }
    const code = await issueCode(stores, deps.codes, { account: account.id, purpose: "confirm", mail, at });
    const letter = { template: "confirm", code: showCode(code), link: deps.pages.confirm(code) } as const;
    await stores.outbox.insertMail({ to: mail, language, at, mail: letter });
  });
}

async function refuseTaken(
  deps: Deps,
  stores: Stores,
  { account, player }: Member,
  { mail, at }: { readonly mail: string; readonly at: number },
): Promise<void> {
  if (!deps.uniformAnswers)
    throw new AppError("conflict", "mail: an account with this address exists already");
  await checkSendLimits(stores.outbox, deps.codes.limitFactor, mail, at);
  const letter = {
    template: "already-registered",
    username: player?.name ?? "",
    link: deps.pages.forgotPassword,
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

/** Confirms the address that a code was sent to. Uses the code up. Fails with invalid for one that is not good. */
export async function confirmMail(
  deps: Pick<Deps, "transact" | "clock" | "codes">,
  input: { readonly code: string },
): Promise<void> {
  const at = deps.clock.nowSeconds();
  await deps.transact(async (stores) => {
    const code = await consumeCode(stores, deps.codes.hash, { text: input.code, purpose: "confirm", at });
    await stores.accounts.setMail(code.accountId, { mail: code.mail, mailVerified: true });
  });
}

/**
 * Finishes a registration, once: sets the password and makes the player, which takes over the account's uuid. An account
 * that was made from a social one has its player already: it gets the name that is chosen now. Ends the account's other
 * sessions. Fails with conflict when it is finished or the name is taken or held, with invalid for a malformed or reserved
 * name and a bad password, with limited after too many tries.
 */
export async function finishRegistration(
  deps: Pick<Deps, "transact" | "clock" | "hasher"> & {
    readonly usernamePattern: RegExp;
    readonly attempt: Pick<PasswordAttempt, "take">;
  },
  { account, sessionId }: Member & { readonly sessionId: SessionId },
  input: { readonly username: string; readonly password: string },
): Promise<Player> {
  const username = parseUsername(input.username, deps.usernamePattern);
  const password = parseNewPassword(input.password);
  deps.attempt.take();
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
