import type { AccountId } from "../kernel/ids.ts";

/** What is found out about a request on its way, for whoever tells of it afterwards. */
export type Notes = {
  /** The number by which its lines in the log are found. */
  readonly id: string;
  /** The request as it came in: only that one has a sender. */
  readonly arrived: Request;
  /** The pattern of its route; null before it is found, and when there is none. */
  route: string | null;
  /** Who asks, once a guard has found out: an account's number, or `service:<name>`. */
  user: AccountId | string | null;
  /** What the request holds until it is answered. */
  holds: Disposable | null;
};

export type RequestNotes = {
  /** A number that no other request has. */
  readonly nextId: () => string;
  readonly begin: (arrived: Request) => Notes;
  /** Lets the notes be found by the request that the router is given, which may be a rewritten one. */
  readonly attach: (routed: Request, notes: Notes) => void;
  readonly of: (routed: Request) => Notes;
};

/** Notes live as long as their request does. */
export function createRequestNotes(): RequestNotes {
  const attached = new WeakMap<Request, Notes>();
  // Counting costs a tenth of what a random number for each request would.
  const run = crypto.getRandomValues(new Uint8Array(6)).toHex();
  let count = 0;
  const nextId = () => `${run}-${(count += 1).toString(36)}`;
  const begin = (arrived: Request): Notes => ({
    id: nextId(),
    arrived,
    route: null,
    user: null,
    holds: null,
  });

  return {
    nextId,
    begin,
    attach: (routed, notes) => void attached.set(routed, notes),
    of: (routed) => attached.get(routed) ?? begin(routed),
  };
}
