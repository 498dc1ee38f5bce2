import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PictureRenderer } from "../../domain/ports/pictures.ts";
import { createHistogram, type Histogram, type HistogramReading } from "../../kernel/histogram.ts";
import { drawPicture, expectedMilliseconds } from "./tasks.ts";
import type { ThreadPool } from "./thread-pool.ts";

/** A picture that is expected to take no longer may be drawn on the event loop. */
const inlineMillisecondsMax = 10;

/** The time to send a task to a thread and the picture back. */
const wayMilliseconds = 1;

/**
 * Draws pictures without holding up the event loop: small ones on it, large ones in threads, and small ones
 * in threads too when many come at once. `now` is milliseconds since some moment.
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
      // Other requests go between two pictures of many that come at once.
      await (lastTurn = lastTurn.then(yieldToEventLoop));
      return drawPicture(job);
    }
    const turn = { waiters, expectedMilliseconds: expected + wayMilliseconds };
    return pool.run(turn, "drawPicture", async () => [await order.read()]);
  };
}

/**
 * Milliseconds of each second that the event loop may draw: a fifth, so that it keeps answering, and a
 * quarter of that for one client, which is some dozen heads.
 */
const loopShareMax = 200;
const clientShareMax = 50;

/** Returns whether the client may use the event loop for so many milliseconds, and counts them if it may. */
export type TakeLoop = (client: string, milliseconds: number) => boolean;

/**
 * Bounds the event loop's drawing time in each second, for each client and in all. `now` is milliseconds
 * since some moment.
 */
export function createLoopShare(now: () => number): TakeLoop {
  const taken = new Map<string, number>();
  let all = 0;
  let endsAt = 0;

  return (client, milliseconds) => {
    const at = now();
    if (at >= endsAt) {
      taken.clear();
      all = 0;
      endsAt = at + 1000;
    }
    const own = (taken.get(client) ?? 0) + milliseconds;
    if (own > clientShareMax || all + milliseconds > loopShareMax) return false;
    taken.set(client, own);
    all += milliseconds;
    return true;
  };
}

/** How long the pictures of one kind took. */
export type PictureTimes = {
  readonly view: string;
  readonly type: string;
  readonly seconds: HistogramReading;
};

/** From a flat head to a body of the finest skin that waits for its thread. */
const timeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** The same renderer, timed from order to picture, the wait for a thread included. */
export function timePictures(render: PictureRenderer): {
  readonly render: PictureRenderer;
  readonly times: () => readonly PictureTimes[];
} {
  const kinds = new Map<string, { view: string; type: string; seconds: Histogram }>();
  const histogramOf = ({ view, type }: { view: string; type: string }): Histogram => {
    const known = kinds.get(`${view} ${type}`);
    if (known !== undefined) return known.seconds;
    const seconds = createHistogram(timeBounds);
    kinds.set(`${view} ${type}`, { view, type, seconds });
    return seconds;
  };

  return {
    render: async (order, waiters) => {
      const startedAt = performance.now();
      const picture = await render(order, waiters);
      histogramOf(order).observe((performance.now() - startedAt) / 1000);
      return picture;
    },
    times: () => [...kinds.values()].map((kind) => ({ ...kind, seconds: kind.seconds.read() })),
  };
}
