import { passwordAttempt, type PasswordAttempt } from "../domain/limits/password-attempt.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import type { Logger } from "../kernel/log.ts";
import type { RequestNotes } from "./request-notes.ts";
import { unknownRoute } from "./request-statistics.ts";

/**
 * A try at a password by who sent the request. `account` is what the client calls the account; `hasArrived`: its address was
 * counted before its body was read.
 */
export type AttemptBy = (
  request: Request,
  account: string,
  options?: { readonly hasArrived: boolean },
) => PasswordAttempt;

type Deps = {
  readonly limits: RateLimits;
  readonly clientAddress: (request: Request) => string;
  readonly notes: RequestNotes;
  readonly log: Logger;
};

/**
 * Makes tries of which every one in vain has a line in the log, with the address that a firewall needs. What the client calls
 * the account is not in it: people type passwords into that field.
 */
export function createAttempts({ limits, clientAddress, notes, log }: Deps): AttemptBy {
  return (request, account, { hasArrived } = { hasArrived: false }) => {
    const address = clientAddress(request);
    return passwordAttempt(limits, { account, address, hasArrived }, (user) => {
      const { id: requestId, route } = notes.of(request);
      const line = { requestId, route: route ?? unknownRoute, client: address };
      if (user === null) log.info("password refused", { ...line, reason: "unknown account" });
      else log.info("password refused", { ...line, reason: "does not match", user });
    });
  };
}
