import { putNewest, type SteadySeconds, type WindowCounter } from "./counter.ts";

/** At most `times` attempts within any `seconds`. */
export type WindowRule = { readonly times: number; readonly seconds: number };

/** The attempts within one second: as few numbers as that bound a key's memory, however many attempts are allowed. */
type Second = { readonly at: number; readonly attempts: number };

/** Counts by a window that ends now, to the second: however the attempts are spread, no `seconds` ever hold more than `times`. */
export function slidingWindow({ times, seconds }: WindowRule, now: SteadySeconds): WindowCounter {
  const counted = new Map<string, readonly Second[]>();
  const inWindow = (key: string, end: number) =>
    (counted.get(key) ?? []).filter(({ at }) => at + seconds > end);

  return {
    waitSeconds: (key) => {
      const end = now();
      const recent = inWindow(key, end);
      const [oldest] = recent;
      const total = recent.reduce((sum, { attempts }) => sum + attempts, 0);
      return oldest === undefined || total < times ? 0 : oldest.at + seconds - end;
    },
    count: (key) => {
      const at = now();
      const recent = inWindow(key, at);
      const attempts = 1 + (recent.at(-1)?.at === at ? (recent.pop()?.attempts ?? 0) : 0);
      putNewest(counted, key, [...recent, { at, attempts }]);
    },
    takeBack: (key) => {
      const recent = inWindow(key, now());
      const last = recent.pop();
      if (last === undefined) return;
      const left = last.attempts === 1 ? [] : [{ ...last, attempts: last.attempts - 1 }];
      putNewest(counted, key, [...recent, ...left]);
    },
  };
}
