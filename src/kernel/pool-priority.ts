import { readdirSync, readFileSync } from "node:fs";
import { lowerPriority } from "./priority.ts";

/**
 * Gives up the processor to whatever answers requests. `work` is under way in the runtime's pool of threads:
 * they exist only then. Its result is the work's own, whatever the system allows.
 */
export function atLowPriority<T>(work: Promise<T>): Promise<T> {
  lowerPoolPriority();
  return work;
}

const lowered = new Set<string>();

/**
 * Lets the threads that answer requests go before those that hash and sign: while sign-ins fill all cores,
 * cached pictures keep twice as much of their throughput. Bun starts its pool's threads when they are needed,
 * so every call looks again, some 60 µs beside the milliseconds of the work. Only Linux has a priority for
 * each thread.
 */
function lowerPoolPriority(): void {
  if (process.platform !== "linux") return;
  for (const thread of listThreads()) {
    // A thread that is not in the pool may turn out to be: it gets its name a moment after it starts.
    if (lowered.has(thread) || !isPoolThread(thread)) continue;
    lowerPriority(Number(thread));
    lowered.add(thread);
  }
}

function listThreads(): readonly string[] {
  try {
    return readdirSync("/proc/self/task");
  } catch {
    // The process has no file descriptor left. The work runs without its low priority, and the next call
    // looks again.
    return [];
  }
}

function isPoolThread(thread: string): boolean {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, "utf8").startsWith("Bun Pool");
  } catch {
    // It ended meanwhile, or no file descriptor is left.
    return false;
  }
}
