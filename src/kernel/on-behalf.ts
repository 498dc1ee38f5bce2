import { AsyncLocalStorage } from "node:async_hooks";
import type { Waiter } from "./waiters.ts";

const waiting = new AsyncLocalStorage<Waiter>();

/**
 * Does the work for a client, whose share of hashes, connections and whatever else is short it takes from then on. All that the work
 * awaits is done for the same client.
 */
export function onBehalfOf<T>(waiter: Waiter, work: () => T): T {
  return waiting.run(waiter, work);
}

/** The client for whom the work under way is done; null: the program works for itself. */
export function behalf(): Waiter | null {
  return waiting.getStore() ?? null;
}

/** The client whose share the work under way takes; the empty text: the program's own. */
export function payer(): string {
  return behalf()?.client ?? "";
}
