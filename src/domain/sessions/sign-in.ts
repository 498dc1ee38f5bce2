import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid, type AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Member } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import { normalisePassword } from "../model/password.ts";
import type { Credentials } from "../ports/account-store.ts";
import { nameKey } from "../model/username.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads, Stores, Transact } from "../ports/stores.ts";
import { openSession, type Client, type SignedIn } from "./open-session.ts";

/** What signing in works with. */
export type SignInDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly attempt: PasswordAttempt;
  /** Whether known and unknown mail addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/** A username or mail address, its password, and who signs in. */
export type SignInInput = Client & { readonly login: string; readonly password: string };

/**
 * Opens a session for who knows the password of a username or mail address. A wrong pair fails with unauthenticated, in the
 * same words and after the same work whether the name exists or not. An unfinished account whose mail nobody confirmed fails
 * with forbidden: whoever registered it has not shown that the address is theirs. Where answers are uniform, it is unknown
 * until then. Fails with limited after too many tries, before anything is looked at. `alongside` runs in the session's
 * transaction: when it throws, nobody is signed in.
 */
export async function signIn(
  deps: SignInDeps,
  input: SignInInput,
  alongside: (stores: Stores, member: Member) => Promise<void> = async () => undefined,
): Promise<SignedIn> {
  deps.attempt.take();
  const known = await findCredentials(deps.reads, input.login);
  const stored = known?.passwordHash ?? null;
  const password = normalisePassword(input.password) ?? "";
  const right = await deps.hasher.verify(password, stored ?? (await absentPasswordHash(deps.hasher)));
  if (known === null || stored === null || !right || (await isHidden(deps, known.id))) {
    deps.attempt.failed(known?.id ?? null);
    throw wrongPair();
  }
  deps.attempt.succeeded();

  const newHash = deps.hasher.needsRehash(stored) ? await deps.hasher.hash(password) : null;
  const at = deps.clock.nowSeconds();
  return deps.transact(async (stores) => {
    const member = await stores.accounts.findMember({ by: "id", value: known.id });
    // The account may have gone, or changed its password, while the hash was at work.
    if (member?.account.passwordHash !== stored) throw wrongPair();
    if (isUnconfirmed(member)) {
      throw new AppError("forbidden", "Confirm your mail address first, with the code that was sent to it");
    }
    if (newHash !== null) await stores.accounts.setPasswordHash(known.id, newHash);
    await alongside(stores, member);
    return { session: await openSession(stores.sessions, known.id, input, at), member };
  });
}

function wrongPair(): AppError {
  return new AppError("unauthenticated", "Invalid username or password");
}

function isUnconfirmed({ account, player }: Member): boolean {
  return player === null && !account.mailVerified;
}

/**
 * Where answers are uniform, an unconfirmed account looks like none: otherwise registering an address and signing in would show
 * whether another account owns it.
 */
async function isHidden({ reads, uniformAnswers }: SignInDeps, value: AccountId): Promise<boolean> {
  if (!uniformAnswers) return false;
  const member = await reads.accounts.findMember({ by: "id", value });
  return member !== null && isUnconfirmed(member);
}

function findCredentials(reads: Reads, login: string): Promise<Credentials | null> {
  if (login.length === 0 || login.length > limits.identifierLengthMax) return Promise.resolve(null);
  return reads.accounts.findCredentials(
    login.includes("@") ? { by: "mail", value: mailKey(login) } : { by: "name", value: nameKey(login) },
  );
}

const absentHashes = new WeakMap<PasswordHasher, Promise<string>>();

/** A hash of today's cost that no password fits, so that an unknown name costs what a known one does. Made once. */
function absentPasswordHash(hasher: PasswordHasher): Promise<string> {
  const known = absentHashes.get(hasher);
  if (known !== undefined) return known;
  const made = hasher.hash(newUuid());
  absentHashes.set(hasher, made);
  // One that was not made, because too many waited say, would tell unknown names from known ones for ever.
  made.catch(() => absentHashes.delete(hasher));
  return made;
}
