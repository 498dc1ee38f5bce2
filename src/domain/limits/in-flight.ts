import type { AppError, FailureOptions } from "../../kernel/errors.ts";
import { clientNetworks, siteShare, type Client } from "./address-limit.ts";

/**
 * Begins work under a key; disposing of the result ends it. Fails with limited when too much is under way.
 */
export type InFlight = (key: string) => Disposable;

/** Bounds how much work is under way under one key. `refusal` makes the failure. */
export function createInFlight(options: {
  readonly atOnceMax: number;
  readonly refusal: (options: FailureOptions) => AppError;
}): InFlight {
  const underway = createTally();

  return (key) => {
    // The time to wait: an upload takes about as long.
    if (underway.of(key) >= options.atOnceMax) throw options.refusal({ retryAfterSeconds: 2 });
    underway.add(key, 1);
    return { [Symbol.dispose]: () => underway.add(key, -1) };
  };
}

/**
 * Bodies from one address under way at once. They arrive within a moment, so a school reaches this only when
 * 32 of its people upload over slow lines in the same seconds. It bounds bodies that are held open on
 * purpose.
 */
const ofAddressMax = 32;
/**
 * All bodies under way, as many as 128 such addresses may send. Those without a session have 8 KiB each, 32
 * MiB together.
 */
const ofAllMax = 4096;

/** Begins a body and returns the function that ends it; null when too many are under way. */
export type BeginBody = (client: Client) => (() => void) | null;

/**
 * Counts bodies under way by address, IPv6 by /64 and four times as many by /48. `factor` multiplies an
 * address's bound; 0 removes it. The bound of all bodies stays, because it limits memory.
 */
export function bodiesAtOnce(factor: number): BeginBody {
  const underway = createTally();
  let all = 0;
  const most = factor === 0 ? Infinity : Math.max(1, Math.floor(ofAddressMax * factor));
  const add = (networks: readonly string[], difference: 1 | -1): void => {
    all += difference;
    for (const network of networks) underway.add(network, difference);
  };
  const isFull = (network: string, place: number) =>
    underway.of(network) >= most * (place === 0 ? 1 : siteShare);

  return (client) => {
    const networks = clientNetworks(client);
    if (all >= ofAllMax || networks.some(isFull)) return null;
    add(networks, 1);
    let hasEnded = false;
    return () => {
      if (!hasEnded) add(networks, -1);
      hasEnded = true;
    };
  };
}

/** Counts by key. Holds no keys with a count of 0. */
function createTally() {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add: (key: string, difference: 1 | -1): void => {
      const count = of(key) + difference;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}
