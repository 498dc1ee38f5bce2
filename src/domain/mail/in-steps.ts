import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Stores, Transact } from "../ports/stores.ts";

/**
 * Does a long work in steps, each a transaction of its own so that others go on in between, until one has nothing to do or
 * `isOver` says so. A step tells how many rows it did; so does this, of all.
 */
export async function inSteps(
  transact: Transact,
  step: (stores: Stores) => Promise<number>,
  isOver: () => boolean = () => false,
): Promise<number> {
  let done = 0;
  while (!isOver()) {
    const rows = await transact(step);
    if (rows === 0) break;
    done += rows;
    await yieldToEventLoop();
  }
  return done;
}
