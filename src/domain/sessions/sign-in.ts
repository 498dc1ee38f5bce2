import { refusals } from "../model/refusals.ts";
import { anonymous } from "../model/actor.ts";
import { passwordTexts, type PasswordTexts } from "../model/password.ts";
import type { Proof } from "../model/session.ts";
import type { Credentials } from "../ports/account-store.ts";
import { compared, type PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { findCredentials } from "./credentials.ts";
import { openSession, type Client, type SignedIn } from "./open-session.ts";
import type { DummyHash } from "./dummy-hashes.ts";

/** What signing in works with. */
export type SignInDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly dummyHash: DummyHash;
  /** Whether known and unknown mail addresses are answered alike. */
  readonly uniformAnswers: boolean;
};

/** A username or mail address, its password, the client that signs in, and the attempt that it counts as. */
export type SignInInput = Client & {
  readonly login: string;
  readonly password: string;
  readonly attempt: PasswordAttempt;
};

/**
 * Opens a session for a person who knows the password of a username or mail address. A wrong pair fails with
 * unauthenticated, in the same words and after the same work whether the name exists or not. An unfinished
 * account without a confirmed address fails with forbidden: the person who registered it has not shown that
 * the address is theirs. Where answers are uniform, such an account looks unknown. Fails with limited after
 * too many tries, before anything is looked up.
 */
export async function signIn(deps: SignInDeps, input: SignInInput): Promise<SignedIn> {
  const proveIdentity = await checkPassword(deps, input);
  return deps.transact(anonymous, async (tx) => openSession(tx, await proveIdentity(tx), input));
}

/**
 * Runs the comparison of a password when it is its turn. `known`: the account that was found. The comparison
 * learns whether a right password may fit, and takes as long where it may not.
 */
export type ComparisonTurn = <T>(
  known: Credentials | null,
  compare: (mayFit: boolean) => Promise<T>,
) => Promise<T>;

/** The turn of sign-ins on the website: at once. */
const atOnce: ComparisonTurn = (_, compare) => compare(true);

/**
 * Compares a password with an account's. Hashing takes long, so this comes before the transaction, which gets
 * the proof from the result, if the password still is the member's and they may sign in. Both fail as
 * `signIn` does.
 */
export async function checkPassword(
  deps: SignInDeps,
  input: SignInInput,
  turn: ComparisonTurn = atOnce,
): Promise<(tx: Tx) => Promise<Proof>> {
  const { hasher } = deps;
  const { attempt } = input;
  await attempt.take();
  const password = passwordTexts(input.password);
  const { found, isHeld, isRight } = await compared(attempt, () =>
    compare(deps, { ...input, password }, turn),
  );
  const { id = null, passwordHash: stored = null } = found ?? {};
  if (id === null || stored === null || !isRight) {
    attempt.failed(id, isHeld);
    throw refusals.wrongLogin();
  }
  await attempt.succeeded();
  const newHash = hasher.needsRehash(stored) ? await hasher.hash(password.normal) : null;
  return async ({ accounts, now }) => {
    const member = await accounts.findMember({ by: "id", value: id });
    // The account may have gone, or changed its password, while the hash was computed.
    if (member === null || !hasher.isSame(member.account.passwordHash, stored)) throw refusals.wrongLogin();
    if (member.account.registration === "unconfirmed") throw refusals.unconfirmed();
    if (newHash !== null) await accounts.updateAccount(id, { passwordHash: newHash });
    return { member, methods: ["password"], provedAt: now };
  };
}

/**
 * What a comparison found. `isHeld`: the account was tried too often, so that the password counts as wrong.
 */
type Compared = {
  readonly found: Credentials | null;
  readonly isHeld: boolean;
  readonly isRight: boolean;
};

/** The same work for every login, whether an account has it or not. */
async function compare(
  deps: SignInDeps,
  { login, password, attempt }: Pick<SignInInput, "login" | "attempt"> & { readonly password: PasswordTexts },
  turn: ComparisonTurn,
): Promise<Compared> {
  const { reads, hasher, dummyHash, uniformAnswers } = deps;
  const found = await findCredentials(reads, login);
  const mayFit = await attempt.mayFit(found?.id ?? null);
  const dummy = await dummyHash(login);
  return turn(found, async (mayFitNow) => {
    const stored = found?.passwordHash ?? null;
    const isReadable = stored !== null && hasher.kindOf(stored) !== null;
    const fits = await hasher.verify(password.normal, isReadable ? stored : dummy, password.typed);
    const isHeld = !(mayFit && mayFitNow);
    // Otherwise registering an address and signing in would show whether another account owns it.
    const isHidden = uniformAnswers && found?.registration === "unconfirmed";
    const isRight = fits && isReadable && !isHeld && !isHidden;
    return { found, isHeld, isRight };
  });
}
