import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { system } from "../model/actor.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";

/**
 * Does long work in batches, each in its own transaction so that others go on in between, until a batch has
 * nothing to do or `isOver` returns true. Returns the number of rows that all batches changed.
 */
export async function inBatches(
  transact: Transact,
  batch: (tx: Tx) => Promise<number>,
  isOver: () => boolean = () => false,
): Promise<number> {
  let done = 0;
  while (!isOver()) {
    const rows = await transact(system, batch);
    if (rows === 0) break;
    done += rows;
    await yieldToEventLoop();
  }
  return done;
}
