import { refusals } from "../model/refusals.ts";
import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import { limits } from "../../kernel/limits.ts";
import type { Attempt, AttemptStore, WindowRule } from "../ports/attempt-store.ts";
import { hashedKey } from "./counters.ts";

/** The client whose attempts are counted. */
export type Client = { readonly address: string };

/** A request that counts for its address, on this node alone until it is taken for all nodes. */
export type Arrival = {
  /** The attempts that only this node has counted yet; the caller takes care of them from then on. */
  readonly handOver: () => readonly Attempt[];
  /** Counts for all nodes what was not handed over. Never fails with limited. */
  readonly takeForAll: () => Promise<void>;
};

/** A limit on how often one address may do something. */
export type AddressLimit = {
  /** Fails with limited when it was done too often, as far as this node knows. Counts nothing. */
  readonly check: (client: Client) => void;
  /** Counts one use where that is still allowed. Never fails with limited. */
  readonly count: (client: Client) => Promise<void>;
  /** Counts one use. Fails with limited, and counts nothing, when it was done too often. */
  readonly take: (client: Client) => Promise<void>;
  /** Counts one use on this node alone. Fails as `take` does, as far as this node knows. */
  readonly takeHere: (client: Client) => Arrival;
  /** One use by the client, for the store. */
  readonly attemptsOf: (client: Client) => readonly Attempt[];
};

/** The arrival of a request that counts for no address. */
export const uncountedArrival: Arrival = { handOver: () => [], takeForAll: async () => undefined };

/** A customer's complete IPv6 network gets four times the allowance of one of its /64 networks. */
export const { siteShare } = limits;

/**
 * The networks that an address counts for, the smallest first: an IPv4 address itself; for IPv6 its /64, one
 * network of a customer, and its /48, the most that a customer gets (RFC 6177). Any other text counts as it
 * is.
 */
export function clientNetworks({ address }: Client): readonly string[] {
  // Fast path: most are IPv4, which has one spelling.
  if (/^[0-9.]{7,15}$/.test(address)) return [address];
  const parsed = parseIpAddress(address);
  if (parsed === null) return [hashedKey(address)];
  if (isMappedIpv4(parsed)) return [formatIpAddress(parsed)];
  return [64, 48].map((prefix) => `${formatIpAddress(networkOf(parsed, prefix))}/${prefix}`);
}

/** Makes a limit by address. `what` is the plural for the message. The second rule is for an IPv6 /48. */
export function addressLimit(
  store: AttemptStore,
  { limit, what, rules }: { limit: string; what: string; rules: readonly [WindowRule, WindowRule] },
): AddressLimit {
  const attemptsOf = (client: Client): readonly Attempt[] =>
    clientNetworks(client).map((key, place) =>
      place === 0 ? { limit, key, rule: rules[0] } : { limit: `${limit} of a site`, key, rule: rules[1] },
    );
  const takeHere = (client: Client): Arrival => {
    let counted = attemptsOf(client);
    refuseWait(what, store.takeHere(counted));
    const handOver = () => {
      const given = counted;
      counted = [];
      return given;
    };
    const takeForAll = async () => {
      const left = handOver();
      if (left.length > 0) await store.takeForAll(left);
    };
    return { handOver, takeForAll };
  };

  return {
    check: (client) => refuseWait(what, store.waitSeconds(attemptsOf(client))),
    count: async (client) => void (await takeAttempts(store, attemptsOf(client))),
    take: async (client) => refuseWait(what, await takeAttempts(store, attemptsOf(client))),
    takeHere,
    attemptsOf,
  };
}

/** Counts attempts for all nodes and returns 0, or counts none and returns the whole seconds to wait. */
export async function takeAttempts(store: AttemptStore, attempts: readonly Attempt[]): Promise<number> {
  const wait = store.takeHere(attempts);
  return wait > 0 ? wait : store.takeForAll(attempts);
}

/** Fails with limited unless there is nothing to wait for. */
export function refuseWait(what: string, wait: number): void {
  if (wait > 0) throw refusals.tooMany(what, wait);
}
