/*
 * Stands in for the worker thread: says what it is asked for, and does it when it is let go on. See
 * `gated-threads.ts`.
 */
import { tasks, type TaskCall } from "../../src/adapters/texture-threads/tasks.ts";
import { gateName, type GateMessage } from "./gated-threads.ts";

declare const self: Worker;

const gate = new BroadcastChannel(gateName);
const calls: TaskCall[] = [];

self.addEventListener("message", ({ data }: MessageEvent<TaskCall>) => {
  calls.push(data);
  gate.postMessage({ began: nameOf(data) } satisfies GateMessage);
});

gate.addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<GateMessage>; // Bun's types give channels plain events
  const [call] = calls;
  if (!("letGo" in data) || call === undefined || data.letGo !== kindOf(call)) return;
  calls.shift();
  postMessage({ result: await answer(call) });
});

/** `texture`, or a picture as in `head 512`. */
function nameOf(call: TaskCall): string {
  if (kindOf(call) === "texture") return "texture";
  const [{ view, size }] = (call as TaskCall<"drawPicture">).input;
  return `${view} ${size}`;
}

function kindOf({ name }: TaskCall): "picture" | "texture" {
  return name === "drawPicture" ? "picture" : "texture";
}

/** A picture is some bytes; a texture is imported as elsewhere. */
function answer(call: TaskCall): unknown {
  if (kindOf(call) === "picture") return Uint8Array.of(1);
  const task = tasks[call.name] as (...input: readonly unknown[]) => unknown;
  return task(...call.input);
}
