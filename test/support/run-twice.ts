import { isDeepStrictEqual } from "node:util";
import type { Outcome, Rerun } from "../../src/domain/ports/engine.ts";

/**
 * Runs the work of every transaction twice: the first run is rolled back, the second is kept. A work that
 * touches anything but its transaction shows: its effects come twice. Both runs must end alike, or the
 * transaction fails.
 */
export function runTwice(): Rerun {
  let first: Outcome | null = null;
  return (run, outcome) => {
    if (run === 1) {
      first = outcome;
      return true;
    }
    const [one, other] = [first, outcome];
    first = null;
    if (one === null || isDeepStrictEqual(shapeOf(one), shapeOf(other))) return false;
    throw new Error(`a second run ended otherwise: ${text(one)}, then ${text(other)}`);
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
