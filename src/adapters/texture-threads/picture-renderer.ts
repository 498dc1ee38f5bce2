import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PictureRenderer } from "../../domain/ports/pictures.ts";
import { drawPicture, expectedMilliseconds } from "./draw-picture.ts";
import { createLoopShare } from "./loop-share.ts";
import type { ThreadPool } from "./thread-pool.ts";

/** A picture that is expected to take no longer may be made at once, on the caller's thread. */
const inlineMillisecondsMax = 10;

/** What the way to a thread and back adds. */
const wayMilliseconds = 1;

/**
 * Makes pictures without holding the event loop: small ones on the spot, large ones in threads, as well as small ones that come
 * in crowds. `now` is milliseconds since some moment.
 */
export function createPictureRenderer(pool: ThreadPool, now = () => performance.now()): PictureRenderer {
  const takeLoop = createLoopShare(now);
  let lastTurn = Promise.resolve();

  return async (order, waiters) => {
    waiters.allGone.throwIfAborted();
    const expected = expectedMilliseconds(order);
    const [client = ""] = waiters.clients;
    if (expected <= inlineMillisecondsMax && takeLoop(client, expected)) {
      const job = await order.read();
      // Other requests go between two of many that come at once.
      await (lastTurn = lastTurn.then(yieldToEventLoop));
      return drawPicture(job);
    }
    const turn = { waiters, expectedMilliseconds: expected + wayMilliseconds };
    return pool.run(turn, "drawPicture", async () => [await order.read()]);
  };
}
