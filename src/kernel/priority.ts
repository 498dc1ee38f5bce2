import { getPriority, setPriority } from "node:os";

/** As the system counts it: -20 goes first, 19 last. */
const background = 10;

/**
 * Lowers the priority of a process, on Linux also of a single thread (0: the calling one), so that requests
 * are answered first. Only a privileged process can raise it again. Does nothing where the system forbids it:
 * the work gets the same result, only with more competition.
 */
export function lowerPriority(id: number): void {
  try {
    if (getPriority(id) < background) setPriority(id, background);
  } catch {
    // The system forbids it, or the process has just ended.
  }
}
