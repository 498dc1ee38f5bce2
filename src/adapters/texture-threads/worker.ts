/* The entry of a worker thread: runs one call at a time and answers it. */
import { AppError } from "../../kernel/errors.ts";
import { compileSoon } from "../../kernel/compiling.ts";
import { lowerPriority } from "../../kernel/priority.ts";
import { type TaskCall, type TaskReply, tasks } from "./tasks.ts";

declare const self: Worker;

// Requests go first where cores are few. On Linux this lowers the priority of the calling thread; elsewhere
// it would be the whole process's.
if (process.platform === "linux") lowerPriority(0);

compileSoon();

self.addEventListener("message", async ({ data }: MessageEvent<TaskCall>) => {
  postMessage(await answer(data));
  // A large texture leaves some 30 MB of garbage, and the collector alone would let three of them pile up;
  // pictures leave little.
  if (data.name !== "drawPicture") Bun.gc(true);
});

async function answer({ name, input }: TaskCall): Promise<TaskReply> {
  // TaskCall ties the input to the name; the type of a table's entry cannot express that.
  const task = tasks[name] as (...input: readonly unknown[]) => unknown;
  try {
    return { result: await task(...input) };
  } catch (error) {
    if (error instanceof AppError && error.kind !== "internal") {
      const { kind, code, rule, named, field, values } = error;
      return { refusal: { kind, code, rule, named, field, values } };
    }
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
