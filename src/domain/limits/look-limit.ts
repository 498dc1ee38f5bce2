import type { Transact } from "../ports/unit-of-work.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * Makes transactions that fail with limited, and change nothing, when an account changes too often what its players show. This is the
 * one place for every way to do that: it looks at what the work has changed, whichever use case it belongs to. The acting account
 * pays for each of its players that shows something else, or the account in whose name a launch server acts; changes of other accounts' players, by staff and services, are free.
 * A change waits for no count inside its transaction: the first run finds that there is one to pay for and is rolled back, and the
 * second one is kept.
 */
export function limitLooks(transact: Transact, limit: RateLimits["looks"]): Transact {
  if (limit === null) return transact;
  return async (actor, work) => {
    const account = actor.inNameOf ?? actor.accountId;
    if (account === null) return transact(actor, work);
    try {
      return await transact(actor, async (tx) => {
        const result = await work(tx);
        const players = (await tx.events.listChangedLooks()).filter((one) => one === account).length;
        if (players > 0) throw new Unpaid(players);
        return result;
      });
    } catch (error) {
      if (!(error instanceof Unpaid)) throw error;
      await limit.take({ account, times: error.players });
    }
    return transact(actor, work);
  };
}

/** The work changes what so many players show. */
class Unpaid extends Error {
  readonly players: number;

  constructor(players: number) {
    super("A change of what players show is not paid yet");
    this.players = players;
  }
}
