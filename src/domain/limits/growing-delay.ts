import { putNewest, type SteadySeconds, type StreakCounter } from "./counter.ts";

/** After every `times` attempts in vain a wait of `seconds`, which doubles each time, up to `secondsMax`. */
export type DelayRule = { readonly times: number; readonly seconds: number; readonly secondsMax: number };

type Streak = {
  readonly attempts: number;
  readonly blockedUntil: number;
  /** By then nobody has tried for as long as the longest wait, and the waits begin small again. */
  readonly forgottenAt: number;
};

/** Counts attempts since the last success, which the caller tells by `forget`. A wait begins at the attempt that causes it. */
export function growingDelay(rule: DelayRule, now: SteadySeconds): StreakCounter {
  const { times, seconds, secondsMax } = rule;
  const streaks = new Map<string, Streak>();

  return {
    waitSeconds: (key) => Math.max(0, (streaks.get(key)?.blockedUntil ?? 0) - now()),
    count: (key) => {
      const at = now();
      const streak = streaks.get(key);
      const attempts = streak === undefined || streak.forgottenAt <= at ? 1 : streak.attempts + 1;
      const wait = attempts % times === 0 ? Math.min(secondsMax, seconds * 2 ** (attempts / times - 1)) : 0;
      const blockedUntil = at + wait;
      putNewest(streaks, key, { attempts, blockedUntil, forgottenAt: blockedUntil + secondsMax });
    },
    forget: (key) => void streaks.delete(key),
  };
}
