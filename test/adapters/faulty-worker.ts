/*
 * Stands in for the render thread: answers with how many jobs it has had, or does what the skin says in words.
 */
import type { PictureJob } from "../../src/domain/ports.ts";
import type { RenderReply } from "../../src/adapters/render-worker/render-thread.ts";

declare const self: Worker;

let jobs = 0;

self.addEventListener("message", ({ data }: MessageEvent<PictureJob>) => {
  jobs += 1;
  const deed = new TextDecoder().decode(data.skin?.png);
  if (deed === "crash") throw new Error("the thread stumbles");
  if (deed === "exit") process.exit(1);
  if (deed === "hang") for (;;);
  const reply: RenderReply =
    deed === "refuse" ? { fault: "the texture is torn" } : { png: Uint8Array.of(jobs) };
  postMessage(reply);
});
