/** Where time comes from, so that tests can turn it. */
export type Clock = {
  /** Whole seconds since the Unix epoch. */
  nowSeconds(): number;
};

/** The machine's clock. */
export const systemClock: Clock = { nowSeconds: () => Math.floor(Date.now() / 1000) };
