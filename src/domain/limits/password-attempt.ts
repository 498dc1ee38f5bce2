import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Arrival } from "./address-limit.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { PasswordTry } from "./sign-in-limits.ts";

/**
 * One password attempt by one client. Use cases call `take` right before they check the password, so that
 * requests that break other rules do not count, and report the result.
 */
export type PasswordAttempt = {
  /** Counts the attempt. Fails with limited when there were too many. */
  readonly take: () => Promise<void>;
  /**
   * Counts the attempt for the account that was found; null: no account has the name. False when the network
   * tried it too often under several names: the password must count as wrong then, after the same work.
   */
  readonly mayFit: (account: AccountId | null) => Promise<boolean>;
  /** Forgets the client's attempts at this account. */
  readonly succeeded: () => Promise<void>;
  /**
   * Reports a wrong password. `account`: the account it was tried on; null when no account has the name.
   * `isHeld`: it was not looked at, because the account was tried too often.
   */
  readonly failed: (account: AccountId | null, isHeld?: boolean) => void;
  /**
   * Reports that the password was not compared, with the reason. After a fault the attempt counts for
   * nothing; after a refusal because of too much work it counts for the address alone; and it stays counted
   * where the client hung up.
   */
  readonly notCompared: (reason: unknown) => Promise<void>;
};

/** How an attempt counts for the address that it comes from. */
export type Counted = {
  /** The request's arrival, where that has counted; absent: the attempt counts when it is taken. */
  readonly arrival?: Arrival;
  /** Whether a right password resets what counts for the address, too, because many players share one. */
  readonly resetsAddress?: boolean;
  /**
   * Whether the address is a launch server's, which does not name its players' addresses: they would lock
   * each other out.
   */
  readonly isShared?: boolean;
};

/**
 * Makes an attempt at an account's password, in a sign-in as well as in an edit: a stolen session must allow
 * neither password guessing nor endless hashing. `onFailure` is called for wrong passwords, so never more
 * often than the limits allow.
 */
export function passwordAttempt(
  { signIn }: Pick<RateLimits, "signIn">,
  client: Counted & PasswordTry,
  onFailure: PasswordAttempt["failed"],
): PasswordAttempt {
  if (client.isShared === true) return { ...uncounted, failed: onFailure };
  let found: AccountId | null = null;
  return {
    take: async () => signIn.take(client, client.arrival ?? signIn.takeHere(client)),
    mayFit: async (account) => {
      const isCounted = await signIn.mayFit(client, account);
      if (isCounted) found = account;
      return isCounted;
    },
    succeeded: () => signIn.reset(client, { account: found, address: client.resetsAddress === true }),
    failed: onFailure,
    notCompared: async (reason) => {
      if (reason instanceof DOMException && reason.name === "AbortError") return;
      const isRefusal = reason instanceof AppError && reason.kind === "limited";
      await signIn.refund(client, { account: found, address: !isRefusal });
    },
  };
}

/** The result of a comparison. Where it fails, the attempt learns that there was none. */
export async function compared<T>(attempt: PasswordAttempt, compare: () => Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    await attempt.notCompared(error);
    throw error;
  }
}

const uncounted = {
  take: async () => {},
  mayFit: async () => true,
  succeeded: async () => {},
  notCompared: async () => {},
};
