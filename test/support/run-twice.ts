import { isDeepStrictEqual } from "node:util";
import type { Outcome, Rerun } from "../../src/domain/ports/engine.ts";

/**
 * Runs the work of every transaction twice: the first run is rolled back, the second is kept. A work that touches anything
 * but its transaction shows: its effects come twice. Both runs must end alike, or the transaction fails.
 */
export function runTwice(): Rerun {
  const firsts = new WeakMap<object, Outcome>();
  return (run, outcome, work) => {
    if (run === 1) {
      firsts.set(work, outcome);
      return true;
    }
    const first = firsts.get(work);
    firsts.delete(work);
    if (first === undefined || isDeepStrictEqual(shapeOf(first), shapeOf(outcome))) return false;
    throw new Error(`a second run ended otherwise: ${text(first)}, then ${text(outcome)}`);
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
