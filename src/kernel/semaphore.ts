import { AppError } from "./errors.ts";

/** The bounds of a semaphore. */
export type SemaphoreOptions = {
  /** How much work may run at one time. */
  readonly atOnceMax: number;
  /** How much work may wait; more fails with limited. */
  readonly waitingMax: number;
  /** The message of that failure. */
  readonly refusal: string;
};

/** Runs the work when a place is free, and returns its result. */
export type Semaphore = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Bounds how much work runs at one time. Waiting work starts in the order in which it came. */
export function createSemaphore({ atOnceMax, waitingMax, refusal }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  const wait = (): Promise<void> => {
    if (waiting.length >= waitingMax) throw new AppError("limited", refusal);
    return new Promise((enter) => waiting.push(enter));
  };
  // The place passes straight to the longest-waiting work: were it free for a moment, a newcomer could take it.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
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
