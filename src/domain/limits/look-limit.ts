import type { Transact } from "../ports/unit-of-work.ts";
import type { TakenHere, RateLimits } from "./rate-limits.ts";

/**
 * Makes transactions that fail with limited, and change nothing, when an account changes too often what its
 * players show. This is the one place for every way to do that: it looks at what the work has changed,
 * whichever use case it belongs to. The acting account, or the one in whose name a launch server acts, pays
 * for each of its players that shows something else. Changes of other accounts' players, by staff and
 * services, are free. This node counts a change before its commit, and all nodes after it, because a
 * transaction waits for nothing outside: with several nodes, each allows one change more.
 */
export function limitLooks(transact: Transact, limit: RateLimits["looks"]): Transact {
  if (limit === null) return transact;
  return async (actor, work) => {
    const account = actor.inNameOf ?? actor.accountId;
    if (account === null) return transact(actor, work);
    let taken: TakenHere | null = null;
    const refundTaken = (): void => {
      taken?.refund();
      taken = null;
    };
    const limited: typeof work = async (tx) => {
      // The work may run more than once, and counts once.
      refundTaken();
      const result = await work(tx);
      const players = (await tx.events.listChangedLooks()).filter((one) => one === account).length;
      if (players > 0) taken = limit.takeHere({ account, times: players });
      return result;
    };
    const result = await transact(actor, limited).catch((error: unknown) => {
      refundTaken();
      throw error;
    });
    await takeForAll(taken);
    return result;
  };
}

async function takeForAll(taken: TakenHere | null): Promise<void> {
  await taken?.takeForAll();
}
