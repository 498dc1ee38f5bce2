import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { DelayRule, WindowRule } from "../ports/attempt-store.ts";

/**
 * Counts attempts by key. Callers check `waitSeconds` and count without awaiting in between, before the work.
 */
export type AttemptCounter = {
  /** Whole seconds until another attempt is allowed; 0: now. */
  readonly waitSeconds: (key: string) => number;
  /** Counts one attempt. */
  readonly count: (key: string) => void;
  /** Removes one attempt, counted by a window; a growing delay forgets all of the key. */
  readonly reset: (key: string) => void;
  /** Removes one attempt, and the wait that began with it. */
  readonly refund: (key: string) => void;
};

/**
 * Whole seconds since some moment, which never run backwards; `Retry-After` is in them (RFC 9110, 10.2.3).
 */
export type WholeSeconds = () => number;

/**
 * Keys that one counter holds: with their attempts at most 12 MB when RATE_LIMIT_FACTOR is 1. An attacker
 * with enough addresses to displace others does not need to.
 */
const keysMax = 10_000;

/** What a wait of a longer window loses in exactness is nothing beside the wait. */
const exactWindowSeconds = 60 * 60;

/** The attempts within one grain, which bounds a key's memory however many attempts are allowed. */
type Grain = { readonly at: number; readonly attempts: number };

/**
 * Counts in a window that ends now, to the second: no span of `seconds` ever holds more than `times`
 * attempts. A window beyond an hour is counted in grains of its 48th part, whose attempts end with the first
 * of them: so a key of a day holds 49 numbers, not 86,400.
 */
export function slidingWindow({ times, seconds }: WindowRule, now: WholeSeconds): AttemptCounter {
  const grain = seconds <= exactWindowSeconds ? 1 : Math.ceil(seconds / 48);
  const counted = new BoundedMap<string, readonly Grain[]>(keysMax);
  const inWindow = (key: string, end: number) =>
    (counted.get(key) ?? []).filter(({ at }) => at + seconds > end);

  const removeLast = (key: string): void => {
    const recent = inWindow(key, now());
    const last = recent.pop();
    if (last === undefined) return;
    const left = last.attempts === 1 ? [] : [{ ...last, attempts: last.attempts - 1 }];
    counted.set(key, [...recent, ...left]);
  };

  return {
    waitSeconds: (key) => {
      const end = now();
      const recent = inWindow(key, end);
      const [oldest] = recent;
      const total = recent.reduce((sum, { attempts }) => sum + attempts, 0);
      return oldest === undefined || total < times ? 0 : oldest.at + seconds - end;
    },
    count: (key) => {
      const end = now();
      const recent = inWindow(key, end);
      const last = recent.at(-1);
      const isGoingOn = last !== undefined && last.at + grain > end;
      const counting = isGoingOn ? recent.pop() : undefined;
      counted.set(key, [...recent, { at: counting?.at ?? end, attempts: 1 + (counting?.attempts ?? 0) }]);
    },
    reset: removeLast,
    refund: removeLast,
  };
}

type Streak = {
  readonly attempts: number;
  readonly blockedUntil: number;
  /** After a pause as long as the longest wait, waits begin small again. */
  readonly forgottenAt: number;
};

/** Counts attempts since the last success. A wait begins at the attempt that causes it. */
export function growingDelay(rule: DelayRule, now: WholeSeconds): AttemptCounter {
  const { times, seconds, secondsMax } = rule;
  const streaks = new BoundedMap<string, Streak>(keysMax);

  return {
    waitSeconds: (key) => Math.max(0, (streaks.get(key)?.blockedUntil ?? 0) - now()),
    count: (key) => {
      const at = now();
      const streak = streaks.get(key);
      const attempts = streak === undefined || streak.forgottenAt <= at ? 1 : streak.attempts + 1;
      const wait = attempts % times === 0 ? Math.min(secondsMax, seconds * 2 ** (attempts / times - 1)) : 0;
      const blockedUntil = at + wait;
      streaks.set(key, { attempts, blockedUntil, forgottenAt: blockedUntil + secondsMax });
    },
    reset: (key) => void streaks.delete(key),
    refund: (key) => {
      const streak = streaks.get(key);
      if (streak === undefined) return;
      const attempts = Math.max(0, streak.attempts - 1);
      const blockedUntil = Math.min(streak.blockedUntil, now());
      streaks.set(key, { ...streak, attempts, blockedUntil });
    },
  };
}

/** Hashes a key, so that keys have a fixed length and a memory dump shows no mail addresses. */
export function hashedKey(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "base64");
}
