import type { Progress } from "../domain/backup/progress.ts";
import { durationText } from "../kernel/duration-text.ts";
import type { Io } from "./io.ts";

/** How often a terminal's line is written again, and a further line elsewhere. */
const terminalMs = 100;
const lineMs = 10_000;
/** A rate of less time says nothing. */
const rateMs = 1_000;

/**
 * Shows how an import does: on a terminal in one line, which disappears when the scope ends, elsewhere a line
 * every ten seconds. Each step of the work has a rate of its own.
 */
export function showImportProgress(
  { error, errorIsTerminal }: Pick<Io, "error" | "errorIsTerminal">,
  now: () => number = () => performance.now(),
): Disposable & { readonly progress: Progress } {
  let shownAt = errorIsTerminal ? -Infinity : now();
  let begun = { step: "", at: 0, done: 0 };
  return {
    progress: (step, done, total) => {
      const at = now();
      if (step !== begun.step) begun = { step, at, done };
      if (at - shownAt < (errorIsTerminal ? terminalMs : lineMs)) return;
      shownAt = at;
      const rate = at - begun.at < rateMs ? null : ((done - begun.done) * 1000) / (at - begun.at);
      const text = `${step}: ${done}${total === null ? "" : ` of ${total}`}${rateText(rate, done, total)}`;
      error(errorIsTerminal ? `\r\x1b[K${text}` : `${text}\n`);
    },
    [Symbol.dispose]: () => {
      if (errorIsTerminal) error("\r\x1b[K");
    },
  };
}

function rateText(rate: number | null, done: number, total: number | null): string {
  if (rate === null || rate <= 0) return "";
  const left = total === null ? "" : `, ${durationText(Math.ceil((total - done) / rate))} left`;
  return `, ${Math.round(rate)} a second${left}`;
}
