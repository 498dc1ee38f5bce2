import { newUuid, type AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import { anonymous } from "../model/actor.ts";
import { mailKey } from "../model/mail-address.ts";
import { normalisePassword } from "../model/password.ts";
import type { Proof } from "../model/session.ts";
import type { Credentials } from "../ports/account-store.ts";
import { nameKey } from "../model/username.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { openSession, type Client, type SignedIn } from "./open-session.ts";

/** What signing in works with. */
export type SignInDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly attempt: PasswordAttempt;
  /** Whether known and unknown mail addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/** A username or mail address, its password, and the client that signs in. */
export type SignInInput = Client & { readonly login: string; readonly password: string };

/**
 * Opens a session for a person who knows the password of a username or mail address. A wrong pair fails with unauthenticated,
 * in the same words and after the same work whether the name exists or not. An unfinished account without a confirmed address
 * fails with forbidden: the person who registered it has not shown that the address is theirs. Where answers are uniform, such
 * an account looks unknown. Fails with limited after too many tries, before anything is looked up.
 */
export async function signIn(deps: SignInDeps, input: SignInInput): Promise<SignedIn> {
  const proveIdentity = await checkPassword(deps, input);
  return deps.transact(anonymous, async (tx) => openSession(tx, await proveIdentity(tx), input));
}

/**
 * Compares a password with an account's. Hashing takes long, so this comes before the transaction, which gets the proof from the
 * result, if the password still is the member's and they may sign in. Both fail as `signIn` does.
 */
export async function checkPassword(
  deps: SignInDeps,
  input: SignInInput,
): Promise<(tx: Tx) => Promise<Proof>> {
  await deps.attempt.take();
  const known = await findCredentials(deps.reads, input.login);
  const stored = known?.passwordHash ?? null;
  const password = normalisePassword(input.password) ?? "";
  const right = await deps.hasher.verify(password, stored ?? (await absentPasswordHash(deps.hasher)));
  if (known === null || stored === null || !right || (await isHidden(deps, known.id))) {
    deps.attempt.failed(known?.id ?? null);
    throw refusals.wrongLogin();
  }
  await deps.attempt.succeeded();
  const newHash = deps.hasher.needsRehash(stored) ? await deps.hasher.hash(password) : null;
  return async ({ accounts, now }) => {
    const member = await accounts.findMember({ by: "id", value: known.id });
    // The account may have gone, or changed its password, while the hash was computed.
    if (member?.account.passwordHash !== stored) throw refusals.wrongLogin();
    if (member.account.registration === "unconfirmed") throw refusals.unconfirmed();
    if (newHash !== null) await accounts.updateAccount(known.id, { passwordHash: newHash });
    return { member, methods: ["password"], provedAt: now };
  };
}

/**
 * Where answers are uniform, an unconfirmed account looks like none: otherwise registering an address and signing in would show
 * whether another account owns it.
 */
async function isHidden({ reads, uniformAnswers }: SignInDeps, value: AccountId): Promise<boolean> {
  if (!uniformAnswers) return false;
  const member = await reads.accounts.findMember({ by: "id", value });
  return member?.account.registration === "unconfirmed";
}

/** The credentials that a mail address or username names; null for another text. */
export function findCredentials(reads: Reads, login: string): Promise<Credentials | null> {
  if (login.length === 0 || login.length > limits.identifierLengthMax) return Promise.resolve(null);
  return reads.accounts.findCredentials(credentialsKey(login));
}

/** What a login is looked up by. Two texts with one key are one login. */
export function credentialsKey(login: string): { readonly by: "mail" | "name"; readonly value: string } {
  return login.includes("@") ? { by: "mail", value: mailKey(login) } : { by: "name", value: nameKey(login) };
}

const absentHashes = new WeakMap<PasswordHasher, Promise<string>>();

/** A hash of today's cost that no password fits, so that an unknown name costs as much as a known one. Made once. */
function absentPasswordHash(hasher: PasswordHasher): Promise<string> {
  const known = absentHashes.get(hasher);
  if (known !== undefined) return known;
  const made = hasher.hash(newUuid());
  absentHashes.set(hasher, made);
  // A hash that could not be made, because too many waited, would reveal unknown names for ever.
  made.catch(() => absentHashes.delete(hasher));
  return made;
}
