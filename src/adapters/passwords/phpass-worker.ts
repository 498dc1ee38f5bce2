/* The entry of the thread that computes phpass: answers each call with its digest. */
import { lowerPriority } from "../../kernel/priority.ts";
import { phpassDigest, type PhpassCall, type PhpassReply } from "./phpass-digest.ts";

declare const self: Worker;

// Requests go first where cores are few. On Linux this lowers the priority of the calling thread; elsewhere
// it would be the whole process's.
if (process.platform === "linux") lowerPriority(0);

self.addEventListener("message", ({ data: { id, ...call } }: MessageEvent<PhpassCall>) => {
  const reply: PhpassReply = { id, digest: phpassDigest(call) };
  postMessage(reply);
});
