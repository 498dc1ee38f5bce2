import { putNewest, type AttemptCounter, type SteadySeconds } from "./counter.ts";

/** At most `times` attempts within any `seconds`. */
export type WindowRule = { readonly times: number; readonly seconds: number };

/** Counts by a window that ends now: however the attempts are spread, no `seconds` ever hold more than `times`. */
export function slidingWindow({ times, seconds }: WindowRule, now: SteadySeconds): AttemptCounter {
  const attempts = new Map<string, readonly number[]>();
  const inWindow = (key: string, end: number) => (attempts.get(key) ?? []).filter((at) => at + seconds > end);

  return {
    waitSeconds: (key) => {
      const at = now();
      const first = inWindow(key, at).at(-times);
      return first === undefined ? 0 : first + seconds - at;
    },
    count: (key) => {
      const at = now();
      putNewest(attempts, key, [...inWindow(key, at), at]);
    },
    forget: (key) => void attempts.delete(key),
  };
}
