import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { system } from "../model/actor.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";

/**
 * Does a long work in batches, each a transaction of its own so that others go on in between, until a batch has nothing to do
 * or `isOver` says so. Returns the number of rows that all batches changed.
 */
export async function inSteps(
  transact: Transact,
  step: (tx: Tx) => Promise<number>,
  isOver: () => boolean = () => false,
): Promise<number> {
  let done = 0;
  while (!isOver()) {
    const rows = await transact(system, step);
    if (rows === 0) break;
    done += rows;
    await yieldToEventLoop();
  }
  return done;
}
