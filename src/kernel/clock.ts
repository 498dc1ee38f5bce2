/** The source of time, which tests replace. */
export type Clock = {
  /** Whole seconds since the Unix epoch. They jump when the machine's clock is set. */
  nowSeconds(): number;
  /** Seconds since some moment. They never jump. */
  steadySeconds(): number;
};

/** The machine's clock. */
export const systemClock: Clock = {
  nowSeconds: () => Math.floor(Date.now() / 1000),
  steadySeconds: () => performance.now() / 1000,
};
