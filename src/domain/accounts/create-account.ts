import type { Rules } from "../model/rules.ts";
import { newUuid } from "../../kernel/ids.ts";
import type { Language } from "../model/mail.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import type { Level, Member } from "../model/account.ts";
import { parseMail } from "../model/mail-address.ts";
import { parseNewPassword } from "../model/password.ts";
import { addPlayer } from "./player-name.ts";
import { settleRegistration } from "./register.ts";
import { parseUsername } from "../model/username.ts";

type Deps = {
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly rules: Pick<Rules, "names" | "players">;
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
 * Makes an account and, when a username is given, its player. Operators do this on the command line, so no
 * mail is sent. Writes audit. Fails with invalid for a malformed field and with conflict for a mail address
 * or name that is taken.
 */
export async function createAccount(deps: Deps, actor: Actor, input: Input): Promise<Member> {
  return deps.transact(actor, await prepareAccount(deps, input));
}

/**
 * Checks what an account is to be made of, and hashes its password, which takes long. The result makes it
 * within a transaction. Both fail as `createAccount` does.
 */
export async function prepareAccount(
  deps: Omit<Deps, "transact">,
  input: Input,
): Promise<(tx: Tx) => Promise<Member>> {
  const mail = parseMail(input.mail);
  const username = input.username === null ? null : parseUsername(input.username, deps.rules.names.pattern);
  const passwordHash = await deps.hasher.hash(parseNewPassword(input.password));
  const { level, mailVerified } = input;

  return async (tx) => {
    const uuid = newUuid();
    const account = await tx.accounts.insertAccount({
      uuid,
      registration: "unconfirmed",
      mail,
      mailVerified,
      passwordHash,
      permanentLevel: level,
      language: input.language ?? "en",
      createdAt: tx.now,
    });
    if (username !== null) await addPlayer(tx, account, { name: username, uuid: null }, deps.rules.players);
    const detail = { uuid, mail, mail_verify: mailVerified, username: username ?? "", perms: level };
    tx.audit("user.create", account.id, detail);
    return settleRegistration(tx, account.id);
  };
}
