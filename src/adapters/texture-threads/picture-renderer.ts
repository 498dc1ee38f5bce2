import type { PictureRenderer } from "../../domain/ports.ts";
import { drawPicture, expectedMilliseconds } from "./draw-picture.ts";
import type { ThreadPool } from "./thread-pool.ts";

/** A picture that is expected to take no longer is made at once, on the caller's thread. */
const inlineMillisecondsMax = 10;

/** Makes pictures without holding the event loop: small ones on the spot, large ones in threads. */
export function createPictureRenderer(pool: ThreadPool): PictureRenderer {
  return async (job) =>
    expectedMilliseconds(job) <= inlineMillisecondsMax ? drawPicture(job) : pool.run("drawPicture", job);
}
