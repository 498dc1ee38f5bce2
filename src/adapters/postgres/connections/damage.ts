import type { Logger } from "../../../kernel/log.ts";
import type { StatementFault } from "./faults.ts";

/**
 * A damaged page shows when it is read, and a server that was repaired shows nothing: so long after the last
 * fault it counts as well.
 */
const shownMs = 5 * 60_000;

/** Whether the server recently failed to read its own files. */
export function createDamage(log: Pick<Logger, "warn">) {
  let last: { readonly words: string; readonly at: number } | null = null;
  const current = () => (last !== null && performance.now() - last.at < shownMs ? last.words : null);
  return {
    /** A statement failed. */
    note: ({ kind, message, remedy }: StatementFault): void => {
      if (kind !== "damaged") return;
      if (current() === null)
        log.warn("the database's files are damaged: it cannot read all that it holds", {
          reason: message,
          remedy,
        });
      last = { words: message, at: performance.now() };
    },
    /** Another server is used. */
    forget: (): void => void (last = null),
    /** What the server said; null: nothing is known to be damaged. */
    current,
  };
}
