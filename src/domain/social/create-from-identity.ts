import { AppError } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import { anonymous } from "../model/actor.ts";
import type { Rules } from "../model/rules.ts";
import { addPlayer } from "../accounts/player-name.ts";
import { parseMail } from "../model/mail-address.ts";
import type { AccountStore } from "../ports/account-store.ts";
import { claimMail } from "../accounts/unconfirmed.ts";
import type { Language } from "../model/mail.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { attachIdentity } from "./link.ts";
import type { KeyedHash } from "./login-states.ts";
import { provedAtOf, socialProof, takePending, type ConnectionClaim } from "./pending.ts";

type Deps = {
  readonly transact: Transact;
  readonly rules: Pick<Rules, "names" | "players">;
  readonly connectionHash: KeyedHash;
};

/**
 * Makes an account for a person from a provider, with a player under a name derived from theirs, and opens a
 * session. The account has no password. Its mail address is the provider's if that is verified and no account
 * here owns it; an account that has the address and never confirmed it gives way. It never joins an existing
 * account. `finishRegistration` lets the person choose another name and a password, once. Fails with invalid
 * for an invalid claim and with conflict when the person is linked by now.
 */
export async function createFromIdentity(
  deps: Deps,
  input: { readonly claim: ConnectionClaim; readonly language: Language; readonly client: Client },
): Promise<SignedIn> {
  // Loaded when it is needed, because its tables of Latin spellings are half a megabyte.
  const { deriveUsername } = await import("./derive-username.ts");
  return deps.transact(anonymous, async (tx) => {
    const { accounts, now } = tx;
    const person = await takePending(tx, deps.connectionHash, input.claim);
    const mail = person.verifiedMail === null ? null : await takeMail(accounts, person.verifiedMail);
    const account = await accounts.insertAccount({
      uuid: newUuid(),
      registration: "unnamed",
      mail,
      mailVerified: mail !== null,
      passwordHash: null,
      permanentLevel: 1,
      language: input.language,
      createdAt: now,
    });
    const name = await deriveUsername(tx, person.username, deps.rules.names.pattern);
    const player = await addPlayer(tx, account, { name, uuid: null, nameDerived: true }, deps.rules.players);
    await attachIdentity(tx, account.id, person);
    const methods = [socialProof(person)];
    const proof = { member: { account, player }, methods, provedAt: provedAtOf(person) };
    return openSession(tx, proof, input.client);
  });
}

/**
 * The address, freed for the new account; null when another account owns it or it is malformed, which is no
 * reason to refuse the account.
 */
async function takeMail(accounts: AccountStore, text: string): Promise<string | null> {
  try {
    const mail = parseMail(text);
    await claimMail(accounts, mail);
    return mail;
  } catch (cause) {
    if (cause instanceof AppError && (cause.kind === "invalid" || cause.kind === "conflict")) return null;
    throw cause;
  }
}
