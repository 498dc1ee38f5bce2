import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CallGate } from "../ports/call-gate.ts";

/** A gate that lets every call in, at once. */
export const openGate: CallGate = { enter: async () => 0, leave: async () => undefined };

/**
 * Keys whose interval runs. Each entry is a password that was hashed, of which there are a hundred a second
 * at most, so within the longest interval no entry is displaced.
 */
const endedMax = 10_000;

/**
 * After how many seconds to ask again while a call is at work, whose end is not known, or is another node's.
 */
export const askAgainSeconds = 0.25;

/** Less time than this, in seconds, may be what sums of fractions leave over. */
const clockGrain = 0.001;

/**
 * A gate for the calls of one process, in its memory. `intervalMs`: from the end of a call to the beginning
 * of the next.
 */
export function createGateMemory(intervalMs: number, clock: Pick<Clock, "steadySeconds">): CallGate {
  const atWork = new Set<string>();
  /** When the key's next call may run, in seconds. */
  const heldUntil = new BoundedMap<string, number>(endedMax);

  return {
    enter: async (key) => {
      if (atWork.has(key)) return askAgainSeconds;
      const left = (heldUntil.get(key) ?? 0) - clock.steadySeconds();
      if (left > clockGrain) return left;
      atWork.add(key);
      return 0;
    },
    leave: async (key, { holds }) => {
      atWork.delete(key);
      if (holds) heldUntil.set(key, clock.steadySeconds() + intervalMs / 1000);
    },
  };
}
