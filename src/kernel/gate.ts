import { AppError } from "./errors.ts";

/** How many a gate lets in, and what the others are told. */
export type GateOptions = {
  /** How much may be under way at one time. */
  readonly atOnceMax: number;
  /** How much may wait at most; anything more fails with `limited`. */
  readonly waitingMax: number;
  /** What one who is refused is told. */
  readonly refusal: string;
};

/** Does the work when its turn comes, and hands on what comes of it. */
export type Gate = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Lets a few through at a time, in the order in which they came. */
export function createGate({ atOnceMax, waitingMax, refusal }: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const turn = (): Promise<void> => {
    if (waiting.length >= waitingMax) throw new AppError("limited", refusal);
    return new Promise((enter) => waiting.push(enter));
  };
  // A place goes straight to who waits longest: were it free for a moment, a newcomer could take it.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };

  return async (work) => {
    if (inside < atOnceMax) inside++;
    else await turn();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
