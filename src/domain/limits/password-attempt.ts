import type { AccountId } from "../../kernel/ids.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * One try at a password by one client. Use cases take it right before they look at the password, so that what breaks other
 * rules counts for nothing, and tell when it was right.
 */
export type PasswordAttempt = {
  /** Counts the try. Fails with limited when there were too many. */
  readonly take: () => void;
  /** Forgets the client's tries at this account. */
  readonly succeeded: () => void;
  /** Tells of a wrong password. `account`: whose it is not; null when nobody is called what the client says. */
  readonly failed: (account: AccountId | null) => void;
};

/**
 * A try at an account's password, in a sign-in or in an edit alike: a stolen session must serve neither to guess the
 * password nor to keep us hashing. `hasArrived`: it counted for the address already, when its request arrived. `onFailure` is
 * told of wrong passwords, so never more often than the limits allow.
 */
export function passwordAttempt(
  { signIn }: RateLimits,
  client: { readonly account: string; readonly address: string; readonly hasArrived: boolean },
  onFailure: PasswordAttempt["failed"],
): PasswordAttempt {
  return {
    take: () => {
      if (!client.hasArrived) signIn.arrive(client);
      signIn.take(client);
    },
    succeeded: () => signIn.succeeded(client),
    failed: onFailure,
  };
}
