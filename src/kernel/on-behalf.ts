import { AsyncLocalStorage } from "node:async_hooks";
import { limits } from "./limits.ts";
import type { Waiter } from "./waiters.ts";

const waiting = new AsyncLocalStorage<Waiter>();

/**
 * Does the work for a client, whose share of hashes, connections and whatever else is short it takes from
 * then on. All that the work awaits is done for the same client.
 */
export function onBehalfOf<T>(waiter: Waiter, work: () => T): T {
  return waiting.run(waiter, work);
}

/** The client for whom the work under way is done; null: the program works for itself. */
export function behalf(): Waiter | null {
  return waiting.getStore() ?? null;
}

/**
 * The key of the client whose share work takes that is done for this one; the empty text: the program's own.
 * All clients of a larger network together count as `limits.siteShare` clients. Finding it costs
 * microseconds.
 */
export function payerOf(waiter: Waiter | null): string {
  if (waiter === null) return "";
  const { client, within } = waiter;
  const site = within?.at(-1);
  return site === undefined ? client : `${site} ${Bun.hash.crc32(client) % limits.siteShare}`;
}
