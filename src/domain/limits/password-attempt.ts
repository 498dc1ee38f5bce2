import type { AccountId } from "../../kernel/ids.ts";
import type { Arrival } from "./address-limit.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * One password attempt by one client. Use cases call `take` right before they check the password, so that requests that break
 * other rules do not count, and report the result.
 */
export type PasswordAttempt = {
  /** Counts the attempt. Fails with limited when there were too many. */
  readonly take: () => Promise<void>;
  /** Forgets the client's attempts at this account. */
  readonly succeeded: () => Promise<void>;
  /** Reports a wrong password. `account`: the account it was tried on; null when no account has the name. */
  readonly failed: (account: AccountId | null) => void;
};

/** How an attempt counts for the address that it comes from. */
export type Counted = {
  /** The request's arrival, where that has counted; absent: the attempt counts when it is taken. */
  readonly arrival?: Arrival;
  /** Whether a right password counts for nothing, because many players share an address. */
  readonly isForgiven?: boolean;
};

/**
 * Makes an attempt at an account's password, in a sign-in as well as in an edit: a stolen session must allow neither password
 * guessing nor endless hashing. `onFailure` is called for wrong passwords, so never more often than the limits allow.
 */
export function passwordAttempt(
  { signIn }: RateLimits,
  client: Counted & { readonly account: string; readonly address: string },
  onFailure: PasswordAttempt["failed"],
): PasswordAttempt {
  const { isForgiven = false } = client;
  return {
    take: async () => signIn.take(client, client.arrival ?? signIn.arrive(client)),
    succeeded: () => signIn.succeeded(client, isForgiven),
    failed: onFailure,
  };
}
