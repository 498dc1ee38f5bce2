import { AppError } from "../../kernel/errors.ts";
import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import { hashedKey, type AttemptCounter, type WindowCounter } from "./counters.ts";

/** The client whose attempts are counted. */
export type Client = { readonly address: string };

/** A limit on how often one address may do something. */
export type AddressLimit = {
  /** Fails with limited when it was done too often. Counts nothing. */
  readonly check: (client: Client) => void;
  /** Counts one use. */
  readonly count: (client: Client) => void;
  /** `check`, then `count`. */
  readonly take: (client: Client) => void;
  /** Removes one counted use. */
  readonly takeBack: (client: Client) => void;
};

/**
 * A customer's complete IPv6 network gets four times the allowance of one of its /64 networks: a school has several of them, an
 * attacker uses all 65,536.
 */
export const siteShare = 4;

/**
 * The networks that an address counts for, the smallest first: an IPv4 address itself; for IPv6 its /64, one network of a
 * customer, and its /48, the most that a customer gets (RFC 6177). Any other text counts as it is.
 */
export function clientNetworks({ address }: Client): readonly string[] {
  // Fast path: most are IPv4, which has one spelling.
  if (/^[0-9.]{7,15}$/.test(address)) return [address];
  const parsed = parseIpAddress(address);
  if (parsed === null) return [hashedKey(address)];
  if (isMappedIpv4(parsed)) return [formatIpAddress(parsed)];
  return [64, 48].map((prefix) => `${formatIpAddress(networkOf(parsed, prefix))}/${prefix}`);
}

/** Makes a limit by address. `what` is the plural for the message. The second counter is for an IPv6 /48. */
export function addressLimit(what: string, counters: readonly [WindowCounter, WindowCounter]): AddressLimit {
  const usesOf = (client: Client) =>
    clientNetworks(client).map((key, place) => ({ counter: counters[place] ?? counters[0], key }));

  return {
    check: (client) => refuseTooMany(what, usesOf(client)),
    count: (client) => usesOf(client).forEach(({ counter, key }) => counter.count(key)),
    take: (client) => {
      const uses = usesOf(client);
      refuseTooMany(what, uses);
      uses.forEach(({ counter, key }) => counter.count(key));
    },
    takeBack: (client) => usesOf(client).forEach(({ counter, key }) => counter.takeBack(key)),
  };
}

/** Fails with limited when one of the counters is full. */
export function refuseTooMany(
  what: string,
  uses: readonly { readonly counter: AttemptCounter; readonly key: string }[],
): void {
  const wait = Math.max(...uses.map(({ counter, key }) => counter.waitSeconds(key)));
  if (wait === 0) return;
  const message = `Too many ${what}; try again in ${wait === 1 ? "a second" : `${wait} seconds`}`;
  throw new AppError("limited", message, { retryAfterSeconds: wait });
}
