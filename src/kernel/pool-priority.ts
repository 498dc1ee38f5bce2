import { readdirSync, readFileSync, statSync } from "node:fs";
import { lowerPriority } from "./priority.ts";

/**
 * Gives up the processor to whatever answers requests. `work` is under way in the runtime's pool of threads:
 * they exist only then. Its result is the work's own, whatever the system allows.
 */
export function atLowPriority<T>(work: Promise<T>): Promise<T> {
  if (process.platform === "linux") lowerPoolPriority();
  return work;
}

const folder = "/proc/self/task";
/** A thread that took another one's place, so that there are as many as before, is found after this time. */
const lookMs = 1000;

/** Threads that need no look any more: those of the pool are lowered, and those of other names never are. */
const settled = new Set<string>();
/** The number of threads when all were settled, and until when nothing but the number is looked at. */
const seen = { links: 0, until: 0 };

/**
 * Lets the threads that answer requests go before those that hash and sign: while sign-ins fill all cores,
 * cached pictures keep twice as much of their throughput. Bun starts its pool's threads when they are needed,
 * so every call looks at the number of threads: 3 µs, where reading the names of all takes 60. Only Linux has
 * a priority for each thread.
 */
function lowerPoolPriority(): void {
  const now = performance.now();
  try {
    const { nlink: links } = statSync(folder);
    if (links === seen.links && now < seen.until) return;
    Object.assign(seen, { links: settleAll() ? links : 0, until: now + lookMs });
  } catch {
    // The process has no file descriptor left. The work runs without its low priority, and the next call
    // looks again.
  }
}

/** Returns whether all threads are settled. */
function settleAll(): boolean {
  const threads = readdirSync(folder);
  for (const thread of settled) if (!threads.includes(thread)) settled.delete(thread);
  for (const thread of threads) {
    if (settled.has(thread)) continue;
    const name = nameOf(thread);
    // A thread gets its name a moment after it starts; until then it has that of the process.
    if (name === null || (name === ownName && thread !== own)) continue;
    if (name.startsWith("Bun Pool")) lowerPriority(Number(thread));
    settled.add(thread);
  }
  return settled.size === threads.length;
}

const own = String(process.pid);
const ownName = nameOf(own);

/** Null for a thread that ended meanwhile, or when no file descriptor is left. */
function nameOf(thread: string): string | null {
  try {
    return readFileSync(`${folder}/${thread}/comm`, "utf8").trim();
  } catch {
    return null;
  }
}
