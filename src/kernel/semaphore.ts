import type { AppError } from "./errors.ts";

/** The bounds of a semaphore. */
export type SemaphoreOptions = {
  /** How much work may run at one time. */
  readonly atOnceMax: number;
  /** How much work may wait; more fails with limited. */
  readonly waitingMax: number;
  /** How long it may wait until it fails with limited; left out: for as long as it takes. */
  readonly waitSecondsMax?: number;
  /** The message of that failure. */
  readonly refusal: () => AppError;
};

/** Runs the work when a place is free, and returns its result. */
export type Semaphore = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Bounds how much work runs at one time. Waiting work starts in order of arrival. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { atOnceMax, waitingMax, waitSecondsMax, refusal } = options;
  const waiting = new Set<() => void>();
  let running = 0;

  const wait = (): Promise<void> => {
    if (waiting.size >= waitingMax) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    if (waitSecondsMax === undefined) return promise;
    const giveUp = (): void => {
      if (waiting.delete(resolve)) reject(refusal());
    };
    const timer = setTimeout(giveUp, waitSecondsMax * 1000);
    return promise.finally(() => clearTimeout(timer));
  };
  // The place passes straight to the longest-waiting work: were it free for a moment, a newcomer could take
  // it.
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  };

  return async (work) => {
    if (running < atOnceMax) running++;
    else await wait();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/**
 * Runs the work when a place of its key is free, and returns its result. Work under other keys does not
 * count.
 */
export type Semaphores = <T>(key: string, work: () => T | Promise<T>) => Promise<T>;

/** A semaphore for each key. Holds no key without work. */
export function createSemaphores(options: SemaphoreOptions): Semaphores {
  const semaphores = new Map<string, { readonly run: Semaphore; count: number }>();

  return async (key, work) => {
    const semaphore = semaphores.get(key) ?? { run: createSemaphore(options), count: 0 };
    semaphores.set(key, semaphore);
    semaphore.count += 1;
    try {
      return await semaphore.run(work);
    } finally {
      semaphore.count -= 1;
      if (semaphore.count === 0) semaphores.delete(key);
    }
  };
}
