/** Counts attempts under keys. Whoever attempts something asks `waitSeconds` and counts in the same breath, before the work. */
export type AttemptCounter = {
  /** Whole seconds until another attempt may be made; 0 when it may be now. */
  readonly waitSeconds: (key: string) => number;
  /** Counts one attempt. */
  readonly count: (key: string) => void;
};

/** Counts the attempts within some time; one that turned out to be none can be taken back. */
export type WindowCounter = AttemptCounter & { readonly takeBack: (key: string) => void };

/** Counts the attempts since the last success, at which they are forgotten. */
export type StreakCounter = AttemptCounter & { readonly forget: (key: string) => void };

/** Whole seconds since some moment, which never run backwards: a wait is told in them (`Retry-After`, RFC 9110, 10.2.3). */
export type SteadySeconds = () => number;

/**
 * Keys of one counter that are remembered: with their attempts, 12 MB at most when RATE_LIMIT_FACTOR is 1. A stranger with
 * enough addresses to push others out has no need to.
 */
const keysMax = 10_000;

/** Keeps a value under a key, as the newest, and drops the oldest beyond the bound. */
export function putNewest<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key);
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size <= keysMax) return;
    values.delete(oldest);
  }
}

/** A counter that lets everything pass. */
export const uncounted: WindowCounter & StreakCounter = {
  waitSeconds: () => 0,
  count: () => undefined,
  takeBack: () => undefined,
  forget: () => undefined,
};

/** Of one length whatever clients send, and no list of mail addresses for who reads our memory. */
export function shortKey(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("base64");
}
