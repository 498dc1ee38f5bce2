import { AppError } from "../../kernel/errors.ts";
import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import { shortKey, type AttemptCounter, type WindowCounter } from "./counter.ts";

/** Whose attempts are counted. */
export type Client = { readonly address: string };

/** How often one address may do something. */
export type AddressLimit = {
  /** Fails with limited when it was done too often. Counts nothing. */
  readonly check: (client: Client) => void;
  /** Counts it once. */
  readonly count: (client: Client) => void;
  /** `check` and `count` in one breath. */
  readonly take: (client: Client) => void;
  /** Takes one back that turned out to be none. */
  readonly takeBack: (client: Client) => void;
};

/**
 * A customer's whole IPv6 network may do four times what one of its parts may: a school has several parts, an attacker uses all
 * 65,536.
 */
export const siteShare = 4;

/**
 * The networks that an address is counted as, the smallest first: IPv4 by itself, IPv6 by /64, one network of a customer's, and
 * by /48, the most that a customer gets (RFC 6177). What is no address is counted as it is.
 */
export function clientNetworks({ address }: Client): readonly string[] {
  // Most are IPv4 in its one spelling.
  if (/^[0-9.]{7,15}$/.test(address)) return [address];
  const parsed = parseIpAddress(address);
  if (parsed === null) return [shortKey(address)];
  if (isMappedIpv4(parsed)) return [formatIpAddress(parsed)];
  return [64, 48].map((prefix) => `${formatIpAddress(networkOf(parsed, prefix))}/${prefix}`);
}

/** A limit by address; `what` is done, in the message's plural. The second counter is for whole IPv6 networks. */
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

/** Fails with limited when one of the counters has had too many. */
export function refuseTooMany(
  what: string,
  uses: readonly { readonly counter: AttemptCounter; readonly key: string }[],
): void {
  const wait = Math.max(...uses.map(({ counter, key }) => counter.waitSeconds(key)));
  if (wait === 0) return;
  const message = `Too many ${what}; try again in ${wait === 1 ? "a second" : `${wait} seconds`}`;
  throw new AppError("limited", message, { retryAfterSeconds: wait });
}
