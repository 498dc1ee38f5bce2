import type { Clock } from "../../kernel/clock.ts";
import { newUuid } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { Language } from "../model/mail.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Transact } from "../ports/stores.ts";
import type { Level, Member } from "../model/account.ts";
import { parseMail } from "../model/mail-address.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer } from "./player-name.ts";
import { parseUsername } from "../model/username.ts";

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
  /** English when left out. */
  readonly language?: Language;
};

/**
 * Makes an account and, when a username is given, its player. Operators do this on the command line, so no mail is sent.
 * Writes audit. Fails with invalid for a malformed field and with conflict for a mail or name that is somebody's.
 */
export async function createAccount(deps: Deps, actor: Actor, input: Input): Promise<Member> {
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
      permanentLevel: level,
      language: input.language ?? "en",
      createdAt: now,
    });
    const player = username === null ? null : await addPlayer(stores, account, username, now);
    const detail = { uuid, mail, mail_verify: mailVerified, username: username ?? "", perms: level };
    await stores.audit.append({ actor, action: "user.create", forAccountId: account.id, at: now, detail });
    return { account, player };
  });
}
