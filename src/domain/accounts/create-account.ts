import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import type { Issuer } from "../audit/audit.ts";
import type { PasswordHasher } from "../ports.ts";
import type { Stores, Transact } from "../stores.ts";
import type { Account, Level, Member, Player } from "./account.ts";
import { parseMail } from "./mail-address.ts";
import { parseNewPassword } from "./password.ts";
import { nameKey, parseUsername } from "./username.ts";

type Deps = {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly usernamePattern: RegExp;
};

type Input = {
  readonly mail: string;
  /** Null leaves registration unfinished: there is no player yet. */
  readonly username: string | null;
  readonly password: string;
  readonly level: Level;
  readonly mailVerified: boolean;
};

/**
 * Makes an account and, when a username is given, its player. Operators do this on the command line, so no mail is sent.
 * Writes audit. Fails with invalid for a malformed field and with conflict for a mail or name that is somebody's.
 */
export async function createAccount(deps: Deps, issuer: Issuer, input: Input): Promise<Member> {
  const mail = parseMail(input.mail);
  const username = input.username === null ? null : parseUsername(input.username, deps.usernamePattern);
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));
  const { level, mailVerified } = input;
  const now = deps.clock.nowSeconds();

  return deps.transact(async (stores) => {
    const uuid = newUuid();
    const account = await stores.accounts.insertAccount({
      uuid,
      mail,
      mailVerified,
      passwordHash,
      level,
      createdAt: now,
    });
    const player = username === null ? null : await addPlayer(stores, account, username, now);
    const detail = { uuid, mail, mail_verify: mailVerified, username: username ?? "", perms: level };
    await stores.audit.append({ issuer, action: "user.create", forAccountId: account.id, at: now, detail });
    return { account, player };
  });
}

/**
 * Gives the account its player, which takes over the account's uuid. Fails with conflict when the name is taken (ignoring
 * case) or held for somebody else.
 */
async function addPlayer(stores: Stores, account: Account, name: string, now: number): Promise<Player> {
  const hold = await stores.accounts.findNameHold(nameKey(name));
  if (hold !== null && hold.heldUntil > now && hold.accountId !== account.id) {
    throw new AppError(
      "conflict",
      "username: was given up a short while ago and is held for its former owner",
    );
  }
  return stores.accounts.insertPlayer({ uuid: account.uuid, accountId: account.id, name, createdAt: now });
}
