import type { Clock } from "../../src/kernel/clock.ts";

export type FakeClock = Clock & { readonly advance: (seconds: number) => void };

/** A clock far from the machine's, so that code that asks that one is found out. */
export function fakeClock(): FakeClock {
  let now = Date.UTC(2100, 0, 1) / 1000;
  // Between two seconds, as the machine's is.
  let steady = 1.75;
  return {
    // Whole, as the machine's; tenths of a second do not add up exactly.
    nowSeconds: () => Math.floor(now + 0.001),
    steadySeconds: () => steady,
    // Set back, the clock shows an earlier time, although no time has passed.
    advance: (seconds) => {
      now += seconds;
      steady += Math.max(0, seconds);
    },
  };
}
