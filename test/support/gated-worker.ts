/*
 * Stands in for the worker thread: says what it is asked for, and does it when it is let go on. See `gated-threads.ts`.
 */
import { tasks, type TaskCall } from "../../src/adapters/texture-threads/tasks.ts";
import { gateName, type GateMessage } from "./gated-threads.ts";

declare const self: Worker;

const gate = new BroadcastChannel(gateName);
const calls: TaskCall[] = [];

self.addEventListener("message", ({ data }: MessageEvent<TaskCall>) => {
  calls.push(data);
  const what = data.name === "drawPicture" ? `${pictureOf(data).view} ${pictureOf(data).size}` : "texture";
  gate.postMessage({ began: what } satisfies GateMessage);
});

gate.onmessage = async ({ data }: { readonly data: GateMessage }) => {
  const [call] = calls;
  if (
    !("letGo" in data) ||
    call === undefined ||
    (call.name === "drawPicture") !== (data.letGo === "picture")
  )
    return;
  calls.shift();
  postMessage({ result: await answer(call) });
};

/** A picture is some bytes; a texture is taken in as it would be. */
function answer(call: TaskCall): unknown {
  if (call.name === "drawPicture") return Uint8Array.of(1);
  const task = tasks[call.name] as (...input: readonly unknown[]) => unknown;
  return task(...call.input);
}

function pictureOf(call: TaskCall) {
  return (call as TaskCall<"drawPicture">).input[0];
}
