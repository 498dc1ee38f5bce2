import { clientNetworks, siteShare, type Client } from "./address-limit.ts";

/**
 * Bodies of one address that are on their way at once. They arrive within a moment, so that a school meets this only when 32 of
 * its people send pictures on slow lines in the same seconds; who holds bodies open on purpose holds no more.
 */
const ofAddressMax = 32;
/** All bodies on their way, as many as 128 such addresses may send. Those of strangers have 8 KiB each, 32 MiB together. */
const ofAllMax = 4096;

/** Begins a body and gives back what ends it, which counts once; null when too many are on their way already. */
export type BeginBody = (client: Client) => (() => void) | null;

/**
 * Counts bodies that are on their way, by address, IPv6 by /64 and four times as many by /48. `factor` multiplies what an address
 * may; 0 lets it send any number. The bound of all stays: it keeps memory.
 */
export function bodiesAtOnce(factor: number): BeginBody {
  const counts = new Map<string, number>();
  let all = 0;
  const most = factor === 0 ? Infinity : Math.max(1, Math.floor(ofAddressMax * factor));
  const add = (networks: readonly string[], difference: 1 | -1): void => {
    all += difference;
    for (const network of networks) {
      const count = (counts.get(network) ?? 0) + difference;
      if (count === 0) counts.delete(network);
      else counts.set(network, count);
    }
  };
  const isFull = (network: string, place: number) =>
    (counts.get(network) ?? 0) >= most * (place === 0 ? 1 : siteShare);

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
