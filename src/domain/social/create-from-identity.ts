import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import type { Account } from "../model/account.ts";
import { parseMail } from "../model/mail-address.ts";
import type { AccountStore } from "../ports/account-store.ts";
import { claimMail } from "../accounts/unconfirmed.ts";
import type { Language } from "../model/mail.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import { deriveUsername } from "./derive-username.ts";
import type { PendingPerson } from "../model/identity.ts";
import { attachIdentity } from "./link.ts";
import type { KeyedHash } from "./login-states.ts";
import { takePending, type ConnectionClaim } from "./pending.ts";

type Deps = {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly usernamePattern: RegExp;
  readonly connectionHash: KeyedHash;
};

/**
 * Makes an account for a person from a provider, with a player under a name derived from theirs, and opens a session. It has
 * no password, and its mail address is the provider's when that is verified and no account here owns it; an account that has
 * it and never confirmed it gives way. It never joins an account that is there. `finishRegistration` lets the person choose
 * another name and a password, once. Fails with invalid for a claim that is not good and with conflict when the person is
 * linked by now.
 */
export async function createFromIdentity(
  deps: Deps,
  input: { readonly claim: ConnectionClaim; readonly language: Language; readonly client: Client },
): Promise<SignedIn> {
  return deps.transact(async (stores) => {
    const at = deps.clock.nowSeconds();
    const person = await takePending(stores.identities, deps.connectionHash, input.claim, at);
    const account = await insertAccount(stores, person, { language: input.language, at });
    const player = await stores.accounts.insertPlayer({
      uuid: account.uuid,
      accountId: account.id,
      name: await deriveUsername(stores.accounts, person.username, deps.usernamePattern, at),
      nameDerived: true,
      createdAt: at,
    });
    await attachIdentity(stores.identities, account.id, person, at);
    const session = await openSession(stores.sessions, account.id, input.client, at);
    return { session, member: { account, player } };
  });
}

async function insertAccount(
  { accounts }: Stores,
  { verifiedMail }: PendingPerson,
  { language, at }: { readonly language: Language; readonly at: number },
): Promise<Account> {
  const mail = verifiedMail === null ? null : await takeMail(accounts, verifiedMail);
  return accounts.insertAccount({
    uuid: newUuid(),
    mail,
    mailVerified: mail !== null,
    passwordHash: null,
    permanentLevel: 1,
    language,
    createdAt: at,
  });
}

/** The address, freed for the new account; null when another account owns it or it is malformed, which is never worth failing for. */
async function takeMail(accounts: AccountStore, text: string): Promise<string | null> {
  try {
    const mail = parseMail(text);
    await claimMail(accounts, mail);
    return mail;
  } catch (cause) {
    if (cause instanceof AppError && (cause.code === "invalid" || cause.code === "conflict")) return null;
    throw cause;
  }
}
