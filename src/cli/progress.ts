import type { Progress } from "../domain/backup/write-backup.ts";
import type { Io } from "./io.ts";

/** A line that is written anew so often, in milliseconds. */
const lineMs = 100;

/** Shows on a terminal how far a long work is, on one line that is gone when the scope ends. Elsewhere it says nothing. */
export function showProgress(io: Io): Disposable & { readonly progress: Progress } {
  if (!io.errorIsTerminal) return { progress: () => undefined, [Symbol.dispose]: () => undefined };
  let shownAt = 0;
  return {
    progress: (step, done, total) => {
      const now = performance.now();
      if (now - shownAt < lineMs) return;
      shownAt = now;
      io.error(`\r\x1b[K${step}: ${done}${total === null ? "" : ` of ${total}`}`);
    },
    [Symbol.dispose]: () => io.error("\r\x1b[K"),
  };
}
