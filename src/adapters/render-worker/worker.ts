/* The entry of a render thread: takes one job at a time, and answers each with a PNG or the reason why there is none. */
import type { PictureJob } from "../../domain/ports.ts";
import { drawPicture } from "./draw-picture.ts";
import type { RenderReply } from "./render-thread.ts";

declare const self: Worker;

self.addEventListener("message", (event: MessageEvent<PictureJob>) => {
  const reply = answer(event.data);
  postMessage(reply, "png" in reply ? [reply.png.buffer] : []);
});

function answer(job: PictureJob): RenderReply {
  try {
    // A copy of its own: the encoder's buffer may be larger, or belong to a pool, and could not be given away.
    return { png: drawPicture(job).slice() };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
