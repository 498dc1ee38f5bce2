/** What the limits do, wherever they count. */
import { AppError } from "../../src/kernel/errors.ts";
import type { Arrival } from "../../src/domain/limits/address-limit.ts";
import { createRateLimits } from "../../src/domain/limits/rate-limits.ts";
import type { AttemptStore } from "../../src/domain/ports/attempt-store.ts";
import type { Clock } from "../../src/kernel/clock.ts";

/** Makes a store that counts nothing yet. */
export type OpenAttempts = (clock: Clock) => AttemptStore;

/** Limits on a clock that stands still until a test turns it, back as well as forth. */
export function limitsOver(openAttempts: OpenAttempts) {
  return ({ factor = 1 } = {}) => {
    // Waits are whole seconds on clocks that are between two.
    let now = 4_000_000_000.9;
    let steady = 1.9;
    const clock = { nowSeconds: () => Math.floor(now), steadySeconds: () => steady };
    const turn = (seconds: number) => {
      now += seconds;
      steady += Math.max(0, seconds);
    };
    return { limits: createRateLimits({ factor, attempts: openAttempts(clock) }), turn };
  };
}

export const home = "192.0.2.1";
export const elsewhere = "198.51.100.7";
export const alice = { account: "Alice", address: home };

/** A request that arrives, and whose body says what it is for. */
export async function send<Said extends { readonly address: string }>(
  limit: {
    readonly takeHere: (attempt: Said) => Arrival;
    readonly take: (attempt: Said, arrival: Arrival) => Promise<void>;
  },
  attempt: Said,
): Promise<void> {
  await limit.take(attempt, limit.takeHere(attempt));
}

/** Seconds to wait by the answer; 0 when the attempt passes. */
export async function wait(attempt: () => unknown): Promise<number> {
  try {
    await attempt();
    return 0;
  } catch (error) {
    if (error instanceof AppError && error.kind === "limited") return error.retryAfterSeconds ?? -1;
    throw error;
  }
}

/** The message of a refusal. */
export async function refusal(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "";
  } catch (error) {
    return error instanceof AppError ? error.message : String(error);
  }
}

/** How many attempts pass before one is refused. */
export async function passing(attempt: (index: number) => unknown, most = 1000): Promise<number> {
  for (let index = 0; index < most; index++) if ((await wait(() => attempt(index))) > 0) return index;
  return most;
}

/** One of 65,536 addresses. */
export function address(n: number): string {
  return `10.0.${n >> 8}.${n & 255}`;
}
