import { readdirSync, readFileSync } from "node:fs";
import { stepBack } from "../../kernel/priority.ts";

const lowered = new Set<string>();

/**
 * Lets those who answer requests go before those who hash: while sign-ins fill all cores, cached pictures keep twice as much
 * of their throughput. Bun hashes in threads of its own that start when they are needed, so this is asked beside every hash
 * (some 60 µs to its 27 ms). On Linux a thread has a priority of its own; elsewhere nothing happens.
 */
export function lowerHashPriority(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) {
    // A thread that is none of the pool may become one: it gets its name a moment after it starts.
    if (lowered.has(thread) || !isPoolThread(thread)) continue;
    stepBack(Number(thread));
    lowered.add(thread);
  }
}

function isPoolThread(thread: string): boolean {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, "utf8").startsWith("Bun Pool");
  } catch {
    // It ended between the two looks.
    return false;
  }
}
