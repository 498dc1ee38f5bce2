import { clientNetworks, type Arrival } from "../domain/limits/address-limit.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import type { Client } from "../domain/sessions/open-session.ts";
import type { AccountId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/log.ts";
import type { Waiter } from "../kernel/waiters.ts";
import { createAttempts, createUploadGuard, type AttemptBy, type UploadGuard } from "./admission.ts";
import type { FoundMember, RequestContexts } from "./request-context.ts";
import type { FailureLog } from "./request-log.ts";

/** What is known of a request, of the client that sent it, and how it counts. */
export type Requests = {
  readonly contexts: RequestContexts;
  /** The client's address, behind trusted proxies too. */
  readonly clientAddress: (request: Request) => string;
  /** The client that opens a session by a request. */
  readonly clientOf: (request: Request) => Client;
  /** The client that waits for the answer to a request. */
  readonly waiterOf: (request: Request) => Waiter;
  /** How a request counts, on a route behind `arriveByAddress`. */
  readonly arrivalOf: (request: Request) => Arrival;
  readonly attemptBy: AttemptBy;
  readonly uploadGuard: UploadGuard;
  /** Records the sender of a request for its line in the log. */
  readonly noteUser: (request: Request, user: AccountId | string) => void;
  /** Records the member who sends a request, for an answer that is remembered. */
  readonly noteFound: (request: Request, found: FoundMember) => void;
  /** As `holdsUntil` of the request's context. */
  readonly holdUntil: (request: Request, end: number) => void;
  /** Has the connection of a request end after so many seconds without traffic; 0: never. */
  readonly idleAfter: (request: Request, seconds: number) => void;
  readonly logFailure: FailureLog["write"];
  readonly log: Logger;
};

/** What a server knows of its requests: their connections, contexts and log. */
type Known = Pick<Requests, "clientAddress" | "contexts" | "idleAfter" | "log" | "logFailure"> & {
  readonly limits: RateLimits;
};

/**
 * `clientAddress` and `idleAfter` are for requests as they came in; those of the result for any that the
 * router gets.
 */
export function createRequests(deps: Known): Requests {
  const { contexts } = deps;
  const arrivedOf = (request: Request) => contexts.of(request).arrived;
  const clientAddress = (request: Request) => {
    const context = contexts.of(request);
    return (context.address ??= deps.clientAddress(context.arrived));
  };
  return {
    contexts,
    clientAddress,
    clientOf: (request) => ({
      address: clientAddress(request),
      userAgent: request.headers.get("user-agent") ?? "",
    }),
    waiterOf: (request) => new RequestWaiter(arrivedOf(request), deps.clientAddress),
    arrivalOf: (request) => contexts.of(request).arrival ?? uncounted(),
    attemptBy: createAttempts({ ...deps, clientAddress }),
    uploadGuard: createUploadGuard(contexts),
    noteUser: (request, user) => void (contexts.of(request).user = user),
    noteFound: (request, found) => void (contexts.of(request).found = found),
    holdUntil: (request, end) => void (contexts.of(request).holdsUntil = end),
    idleAfter: (request, seconds) => deps.idleAfter(arrivedOf(request), seconds),
    logFailure: deps.logFailure,
    log: deps.log,
  };
}

function uncounted(): never {
  throw new Error("A route takes an arrival that was not counted");
}

/**
 * The client that waits for the answer to a request, under the key by which the limits count it. Its
 * properties are found only where something waits for it: the address alone costs a tenth of a short answer.
 */
export class RequestWaiter implements Waiter {
  readonly #arrived: Request;
  readonly #addressOf: Requests["clientAddress"];
  #networks?: readonly string[];

  constructor(arrived: Request, addressOf: Requests["clientAddress"]) {
    this.#arrived = arrived;
    this.#addressOf = addressOf;
  }

  get client(): string {
    return this.#found[0] ?? "";
  }

  get within(): readonly string[] {
    return this.#found.slice(1);
  }

  get gone(): AbortSignal {
    return this.#arrived.signal;
  }

  get #found(): readonly string[] {
    return (this.#networks ??= clientNetworks({ address: this.#addressOf(this.#arrived) }));
  }
}
