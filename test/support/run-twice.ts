import { isDeepStrictEqual } from "node:util";
import type { Outcome, Rerun } from "../../src/domain/ports/engine.ts";

/** Runs that end otherwise each time, before they count as a fault. */
const differencesMax = 5;

/**
 * Runs the work of every transaction twice: the first run is rolled back, the second is kept. A work that touches anything
 * but its transaction shows: its effects come twice. Both runs must end alike, or the transaction fails. Where other transactions
 * commit meanwhile, as they do on PostgreSQL, a run that ended otherwise is followed by another one, some times.
 */
export function runTwice({ othersCommit = false } = {}): Rerun {
  const lasts = new WeakMap<object, Outcome>();
  return (run, outcome, work) => {
    const last = lasts.get(work);
    lasts.set(work, outcome);
    if (run === 1) return true;
    if (last === undefined || isDeepStrictEqual(shapeOf(last), shapeOf(outcome))) return false;
    if (othersCommit && run <= differencesMax) return true;
    throw new Error(`a second run ended otherwise: ${text(last)}, then ${text(outcome)}`);
  };
}

/** Random names differ from run to run; how a failure reads and which fields an answer has do not. */
function shapeOf(outcome: Outcome): unknown {
  if ("error" in outcome) return text(outcome);
  const { value } = outcome;
  if (typeof value !== "object" || value === null) return typeof value;
  return Array.isArray(value) ? value.length : Object.keys(value);
}

function text(outcome: Outcome): string {
  return "error" in outcome ? `failed with ${String(outcome.error)}` : `gave ${Bun.inspect(outcome.value)}`;
}
