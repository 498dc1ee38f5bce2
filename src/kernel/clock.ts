/** Where time comes from, so that tests can turn it. */
export type Clock = {
  /** Whole seconds since the Unix epoch. They jump when somebody sets the machine's clock. */
  nowSeconds(): number;
  /** Seconds since some moment, which go on evenly whatever the clock is set to. */
  steadySeconds(): number;
};

/** The machine's clock. */
export const systemClock: Clock = {
  nowSeconds: () => Math.floor(Date.now() / 1000),
  steadySeconds: () => performance.now() / 1000,
};
