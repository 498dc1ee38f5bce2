/** At most `times` attempts within any `seconds`. */
export type WindowRule = { readonly times: number; readonly seconds: number };

/** After every `times` failed attempts a wait of `seconds`, which doubles each time, up to `secondsMax`. */
export type DelayRule = { readonly times: number; readonly seconds: number; readonly secondsMax: number };

/** What one attempt counts for. */
export type Attempt = {
  /** The limit's name. Attempts with one key count apart for each limit. */
  readonly limit: string;
  readonly key: string;
  readonly rule: WindowRule | DelayRule;
  /** Whether no node ever makes good for it, so that a refusal holds to its end. */
  readonly isFinal?: boolean;
};

/**
 * Counts attempts for every process that answers for the same community. An attempt is taken on this node,
 * without waiting for anything, and then for all nodes before it is made. So what this node refuses by itself
 * costs no other part anything.
 */
export interface AttemptStore {
  /**
   * Whole seconds until all of the attempts may be made, as far as this node knows; 0: now. Counts nothing.
   */
  waitSeconds(attempts: readonly Attempt[]): number;
  /**
   * Counts the attempts on this node alone, and returns 0. Where one has to wait, as far as this node knows,
   * it counts none and returns the whole seconds to wait. What was taken here must be taken for all nodes or
   * refunded.
   */
  takeHere(attempts: readonly Attempt[]): number;
  /**
   * Counts for all nodes the attempts that were taken here, and returns 0. Where one has to wait it counts
   * none, on this node neither, and returns the whole seconds to wait. While the other nodes' attempts cannot
   * be known, those of this node decide.
   */
  takeForAll(attempts: readonly Attempt[]): Promise<number>;
  /** Removes attempts that were taken here and not for all nodes. */
  refundHere(attempts: readonly Attempt[]): void;
  /**
   * Resets what attempts counted that were no guesses: a window loses one of them, a growing delay forgets
   * all.
   */
  reset(attempts: readonly Attempt[]): Promise<void>;
  /**
   * Refunds attempts that were taken for all nodes and then not made: each counter loses one, and the wait
   * that it caused.
   */
  refund(attempts: readonly Attempt[]): Promise<void>;
}
