import { getPriority, setPriority } from "node:os";

/** As the system counts it: -20 goes first, 19 last. */
const background = 10;

/**
 * Puts a process, on Linux also a single thread (0: the calling one), behind those who answer requests. What stands further
 * back stays there: to come forward takes a right that hardly anybody has. A system that forbids it is obeyed, for the work
 * comes out the same.
 */
export function stepBack(id: number): void {
  try {
    if (getPriority(id) < background) setPriority(id, background);
  } catch {
    // Also when it has just ended.
  }
}
