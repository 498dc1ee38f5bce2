/*
 * Stands in for the worker thread: answers with how many tasks it has had, or does what the file says in
 * words.
 */
import type { PictureJob } from "../../src/domain/ports/pictures.ts";
import type { TaskReply } from "../../src/adapters/texture-threads/tasks.ts";

declare const self: Worker;

let tasks = 0;

self.addEventListener("message", ({ data }: MessageEvent<{ input: [PictureJob | Uint8Array] }>) => {
  tasks += 1;
  const [first] = data.input;
  const deed = new TextDecoder().decode("view" in first ? first.skin?.png : first);
  if (deed === "crash") throw new Error("the thread stumbles");
  if (deed === "exit") process.exit(1);
  if (deed === "hang") for (;;);
  const reply: TaskReply =
    deed === "refuse" ? { fault: "the texture is torn" } : { result: Uint8Array.of(tasks) };
  postMessage(reply);
});
