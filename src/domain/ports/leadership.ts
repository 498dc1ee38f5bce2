import type { Atomically } from "./stores.ts";

/**
 * The time for which a node leads without a break. What it began then must not go on afterwards: another node
 * does it.
 */
export type Term = {
  /** Aborts when the term has ended. */
  readonly signal: AbortSignal;
  /**
   * Whether the node leads now. Costs nothing, and is false at once in a process that was stopped and wakes
   * up too late.
   */
  readonly isHeld: () => boolean;
  /** Transactions of the leader: each fails with unavailable, and keeps nothing, once the term has ended. */
  readonly atomically: Atomically;
};

/**
 * Which of the nodes that serve a community does what one of them does: mail, webhooks, whatever ends by
 * itself, tidying up. One that serves alone always leads.
 */
export interface Leadership {
  isLeader(): boolean;
  /**
   * Begins the work at the start of each term, and disposes of it at its end, until disposed of. The next
   * term waits some seconds for the work of the last one to end; what takes longer can keep nothing any more.
   */
  whileLeading(begin: (term: Term) => AsyncDisposable): AsyncDisposable;
}

/** What keeps a database that several nodes share in order; the leader does it again and again. */
export type Upkeep = {
  /** The log's words when it fails. */
  readonly failure: string;
  readonly everyMs: number;
  readonly run: (term: Term) => Promise<void>;
};
