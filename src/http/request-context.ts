import type { Arrival } from "../domain/limits/address-limit.ts";
import type { AccountId, SessionId } from "../kernel/ids.ts";
import type { Used } from "../kernel/use-times.ts";

/** The route of requests to addresses that no route has: their paths are unlimited in number. */
export const unknownRoute = "unknown";

/** The route of CORS preflights, which are answered before the router. */
export const preflightRoute = "preflight";

/** What is known of a request while it is answered, for the log, the metrics and the limits. */
export type RequestContext = {
  /** The number of the request in the log. */
  readonly id: string;
  /** The request as it came in: only that one has a sender. */
  readonly arrived: Request;
  /** The pattern of its route; null before it is found, and when there is none. */
  route: string | null;
  /** The sender, once a guard knows: an account's number, or `service:<name>`. */
  user: AccountId | string | null;
  /** The client's address, once it is asked for: to find it takes 1 to 3 µs. */
  address: string | null;
  /** The status that a redirect to a page stands for, by which sign-ins count; null: the answer's own. */
  meant: number | null;
  /** The resource that the request holds until it is answered. */
  holds: Disposable | null;
  /** The member who sends it, once a guard has found them by a session of theirs. */
  found: FoundMember | null;
  /**
   * Until when its answer may be given to the same member again if nothing is committed, in Unix seconds;
   * null: never.
   */
  holdsUntil: number | null;
  /** How it counts for the limits of its client's address; null where it does not. */
  arrival: Arrival | null;
};

/** A member as a guard found them. */
export type FoundMember = {
  /** That of `ChangeFeed`, before they were looked up. */
  readonly version: number | null;
  readonly session: Used<SessionId, number>;
  /** When the session ends, or its token: Unix seconds. */
  readonly endsAt: number;
};

export type RequestContexts = {
  /** A number that no other request has. */
  readonly nextId: () => string;
  readonly begin: (arrived: Request) => RequestContext;
  /** Makes the context available for the request that the router gets, which may be a rewritten one. */
  readonly attach: (routed: Request, context: RequestContext) => void;
  readonly of: (routed: Request) => RequestContext;
};

/** A context lives as long as its request does. */
export function createRequestContexts(): RequestContexts {
  const attached = new WeakMap<Request, RequestContext>();
  // Counting costs a tenth of a random number for each request.
  const run = crypto.getRandomValues(new Uint8Array(6)).toHex();
  let count = 0;
  const nextId = () => `${run}-${(count += 1).toString(36)}`;
  const begin = (arrived: Request): RequestContext => ({
    id: nextId(),
    arrived,
    route: null,
    user: null,
    address: null,
    meant: null,
    holds: null,
    found: null,
    holdsUntil: null,
    arrival: null,
  });

  return {
    nextId,
    begin,
    attach: (routed, context) => void attached.set(routed, context),
    of: (routed) => attached.get(routed) ?? begin(routed),
  };
}
