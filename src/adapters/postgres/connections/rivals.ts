import type { ServerHost } from "../../../kernel/server-address.ts";
import type { Choice, Found } from "./primary.ts";
import { isSameServer } from "./standing.ts";

/** How long one that does not answer is taken for there. */
const keptMs = 60_000;

/** The others that take writes, as far as is known: one that gives no answer is not gone by that. */
export class KnownRivals {
  /** Of hosts of one address, with the moment of their last answer. */
  #known: ReadonlyMap<ServerHost, { readonly found: Found; readonly at: number }> = new Map();

  /** What is known after a look that ended at this moment, in milliseconds. */
  after(look: Choice, now: number): readonly Found[] {
    const kept = [...this.#known].filter(
      ([host, { found, at }]) =>
        look.unsure.includes(host) && now - at < keptMs && !isSameServer(found.standing, look.standing),
    );
    const heard = look.rivals.map((found) => [found.host, { found, at: now }] as const);
    this.#known = new Map([...kept, ...heard]);
    return [...this.#known.values()].map(({ found }) => found);
  }
}
