/*
 * Decides whose password counts if several people register one address. While all of them gave the same, it
 * is the account's. Once they differ the account has none: the differing ones are kept, and the owner of the
 * mailbox decides.
 */
import { refusals } from "../model/refusals.ts";
import { ownsItsMail, type Account } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import { passwordTexts, type PasswordTexts } from "../model/password.ts";
import { compared, type PasswordAttempt } from "../limits/password-attempt.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { findValidCode, type CodeSending } from "./issue-code.ts";

/** Differing passwords that are kept for one address. Each is a hash that a confirmation may compute. */
const keptMax = 5;

/** The password of a registration: its hash, and whether it is the account's. */
export type GivenPassword = {
  readonly passwordHash: string;
  /**
   * The account's hash that it was compared with; null where there was no such account or no such password.
   */
  readonly comparedWith: string | null;
  readonly isTheSame: boolean;
};

/**
 * Compares the password of a registration with the one that earlier registrations of the address gave. It
 * computes two hashes in every case: the time shows neither whether the address was registered, nor whether
 * the passwords are the same.
 */
export async function compareRegistration(
  { reads, hasher }: { readonly reads: Pick<Reads, "accounts">; readonly hasher: PasswordHasher },
  {
    mail,
    password,
    passwordHash,
  }: { readonly mail: string; readonly password: string; readonly passwordHash: string },
): Promise<GivenPassword> {
  const known = await reads.accounts.findMember({ by: "mail", value: mailKey(mail) });
  const comparedWith = known === null || ownsItsMail(known.account) ? null : known.account.passwordHash;
  const isTheSame = await hasher.verify(password, comparedWith ?? passwordHash);
  return { passwordHash, comparedWith, isTheSame: comparedWith !== null && isTheSame };
}

/**
 * Keeps the password of a further registration of an account's address; null: it came without one, which
 * differs from any.
 */
export async function keepRegistrationPassword(
  { accounts, codes }: Tx,
  { id, passwordHash: before }: Account,
  given: GivenPassword | null,
): Promise<void> {
  if (given?.isTheSame === true) return;
  if (before !== null) {
    await codes.keepRegistrationPassword(id, before, keptMax);
    await accounts.updateAccount(id, { passwordHash: null });
  }
  if (given !== null) await codes.keepRegistrationPassword(id, given.passwordHash, keptMax);
}

/** What the owner of a mailbox gives to decide whose password counts. */
export type TypedPassword = {
  readonly code: string;
  readonly password: string;
  /** Begins an attempt at the password of the account with this address. */
  readonly attemptAt: (mail: string) => PasswordAttempt;
};

/**
 * The hash of the registration's password that a person gives with its code; null where the account has a
 * password of its own, which stays. Uses nothing up. Fails with invalid for a wrong code and for a password
 * of no registration, which counts as a wrong one at a sign-in, and with limited after too many of them.
 */
export async function findRegistrationPassword(
  deps: {
    readonly reads: Reads;
    readonly hasher: PasswordHasher;
    readonly codes: Pick<CodeSending, "hash">;
  },
  { code: text, password: typed, attemptAt }: TypedPassword,
  now: number,
): Promise<string | null> {
  const { accounts, codes } = deps.reads;
  const code = await findValidCode({ codes, now }, deps.codes.hash, { text, purposes: ["confirm"] });
  const member = await accounts.findMember({ by: "id", value: code.accountId });
  if (member === null) throw refusals.badCode();
  const { id, passwordHash } = member.account;
  if (passwordHash !== null && ownsItsMail(member.account)) return null;
  const open = passwordHash === null ? await codes.registrationPasswords(id, keptMax) : [passwordHash];
  const attempt = attemptAt(code.mail);
  await attempt.take();
  const password = passwordTexts(typed);
  const fitting = await compared(attempt, () => firstFitting(deps.hasher, password, open));
  if (fitting !== null) {
    await attempt.succeeded();
    return fitting;
  }
  attempt.failed(id);
  throw refusals.wrongRegistrationPassword();
}

/** The first of these hashes that fits the password; null: no hash fits. */
async function firstFitting(
  hasher: PasswordHasher,
  { normal, typed }: PasswordTexts,
  hashes: readonly string[],
): Promise<string | null> {
  for (const hash of hashes) if (await hasher.verify(normal, hash, typed)) return hash;
  return null;
}
