import type { Attempt, AttemptStore } from "../ports/attempt-store.ts";
import { growingDelay, slidingWindow, type AttemptCounter, type WholeSeconds } from "./counters.ts";

/** Counts attempts in this process's memory, which is bounded, for a process that answers alone. */
export function createAttemptMemory(now: WholeSeconds): AttemptStore {
  const counters = new Map<string, AttemptCounter>();
  const counterOf = ({ limit, rule }: Attempt): AttemptCounter => {
    const known = counters.get(limit);
    if (known !== undefined) return known;
    const made = "secondsMax" in rule ? growingDelay(rule, now) : slidingWindow(rule, now);
    counters.set(limit, made);
    return made;
  };
  const waitSeconds = (attempts: readonly Attempt[]) =>
    Math.max(0, ...attempts.map((attempt) => counterOf(attempt).waitSeconds(attempt.key)));
  const reset = (attempts: readonly Attempt[]) => {
    for (const attempt of attempts) counterOf(attempt).reset(attempt.key);
  };

  return {
    waitSeconds,
    takeHere: (attempts) => {
      const wait = waitSeconds(attempts);
      if (wait === 0) for (const attempt of attempts) counterOf(attempt).count(attempt.key);
      return wait;
    },
    takeForAll: async () => 0,
    refundHere: reset,
    reset: async (attempts) => reset(attempts),
    refund: async (attempts) => {
      for (const attempt of attempts) counterOf(attempt).refund(attempt.key);
    },
  };
}

/** Allows everything and counts nothing. */
export const uncountedAttempts: AttemptStore = {
  waitSeconds: () => 0,
  takeHere: () => 0,
  takeForAll: async () => 0,
  refundHere: () => undefined,
  reset: async () => undefined,
  refund: async () => undefined,
};
