import { AppError } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Waiters } from "./waiters.ts";

/** What a queue lets in, and how much may wait for it. */
export type FairQueueOptions = {
  /** How much may be under way at one time. */
  readonly atOnceMax: number;
  /** Work that is expected to take longer never has the last of several places, so the small need not wait for its end. */
  readonly largeMilliseconds?: number;
  /** How many pieces of work may wait, however little they take. */
  readonly waitingMax: number;
  /** Milliseconds within which all that waits should be done. */
  readonly waitMillisecondsMax: number;
  /** The message to those that are refused. */
  readonly refusal: string;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
};

/** Work that asks for its turn: who waits for it, and how many milliseconds it takes, more or less. */
export type Turn = { readonly waiters: Waiters; readonly expectedMilliseconds: number };

type Waiting = Turn & {
  /** Turns are given to clients by this moment, the least first; `payer` is the client that this turn belongs to. */
  due: number;
  payer: string;
  /** A client's own work goes by this moment, the least first. */
  readonly order: number;
  readonly enter: () => void;
  readonly refuse: (reason: unknown) => void;
};

/**
 * A turn lies this many times its milliseconds ahead. Smaller work may come so much later and still go first; and the work may
 * be so much slower than expected before a client that comes late has to wait for what others have in the queue.
 */
const patience = 8;
/** How far measured times may correct expected ones. Beyond that, other programs had the processor. */
const correctionMax = 4;

/**
 * Lets work in, some at a time, in a fair order. A client's next turn lies the further ahead, the more work the client has in
 * the queue, so clients share the time evenly. At each of its turns a client has its smallest work done, unless larger work has
 * waited for long. A turn is never put off, so nothing starves. The time that all waiting work should take is bounded; what is
 * too much is taken from the client that has most.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #now: () => number;
  readonly #underway = new Set<Turn>();
  readonly #waiting = new Set<Waiting>();
  /** Milliseconds that the latest work took, and that it was expected to take. The latest counts most. */
  #took = 100;
  #expected = 100;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Does the work when its turn comes, and resolves to its result. Fails with limited when the work may not wait, or has waited
   * for 10 seconds, and with an AbortError when all its waiters are gone. Work that has begun is done to its end.
   */
  async run<T>(turn: Turn, work: () => T | Promise<T>): Promise<T> {
    turn.waiters.allGone.throwIfAborted();
    if (this.#hasPlaceFor(turn)) this.#underway.add(turn);
    else await this.#wait(turn);
    const startedAt = this.#now();
    try {
      return await work();
    } finally {
      this.#took = this.#took * 0.9 + this.#now() - startedAt;
      this.#expected = this.#expected * 0.9 + turn.expectedMilliseconds;
      this.#underway.delete(turn);
      this.#giveTurn();
    }
  }

  /** Takes the free place at once, so that a newcomer cannot. */
  #giveTurn(): void {
    const fitting = [...this.#waiting].filter((one) => this.#hasPlaceFor(one));
    const next = leastOf(fitting, ({ due }) => due);
    if (next === undefined) return;
    const first = leastOf(
      fitting.filter(({ payer }) => payer === next.payer),
      ({ order }) => order,
    );
    if (first === undefined) return;
    // The two change turns.
    next.due = first.due;
    first.enter();
  }

  #hasPlaceFor(turn: Turn): boolean {
    const { atOnceMax } = this.#options;
    if (this.#underway.size >= atOnceMax || !this.#isLarge(turn)) return this.#underway.size < atOnceMax;
    return [...this.#underway].filter((one) => this.#isLarge(one)).length < this.#placesForLarge;
  }

  #isLarge({ expectedMilliseconds }: Turn): boolean {
    return expectedMilliseconds > (this.#options.largeMilliseconds ?? Number.POSITIVE_INFINITY);
  }

  get #placesForLarge(): number {
    return Math.max(1, this.#options.atOnceMax - 1);
  }

  #wait(turn: Turn): Promise<void> {
    const { waiters, expectedMilliseconds } = turn;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (settle: () => void): void => {
      if (!this.#waiting.delete(waiting)) return;
      clearTimeout(tooLong);
      settle();
    };
    const waiting: Waiting = {
      waiters,
      expectedMilliseconds,
      due: Number.POSITIVE_INFINITY,
      payer: "",
      order: this.#now() + patience * expectedMilliseconds,
      enter: () => {
        this.#underway.add(turn);
        leave(resolve);
      },
      refuse: (reason) => leave(() => reject(reason)),
    };
    const tooLong = setTimeout(() => waiting.refuse(this.#refusal()), limits.queueSecondsMax * 1000);
    waiters.allGone.addEventListener("abort", () => waiting.refuse(waiters.allGone.reason), { once: true });
    const takeTurnOf = (client: string): void => {
      const due = this.#dueFor(client, turn);
      if (due < waiting.due) Object.assign(waiting, { due, payer: client });
    };
    for (const client of waiters.clients) takeTurnOf(client);
    // A client that joins does not wait for all that the first one has in the queue.
    waiters.onJoin = takeTurnOf;
    this.#waiting.add(waiting);
    while (this.#isTooMuch()) this.#lastOfTheBusiest()?.refuse(this.#refusal());
    return promise;
  }

  #dueFor(client: string, { waiters, expectedMilliseconds }: Turn): number {
    let work = expectedMilliseconds;
    for (const other of [...this.#underway, ...this.#waiting]) {
      if (other.waiters !== waiters && other.waiters.has(client)) work += other.expectedMilliseconds;
    }
    return this.#now() + patience * work;
  }

  /** Work that waits alone may be of any length: otherwise it would always be refused. */
  #isTooMuch(): boolean {
    const { waitingMax, waitMillisecondsMax } = this.#options;
    const { size } = this.#waiting;
    return size > waitingMax || (size > 1 && this.#waitMilliseconds() > waitMillisecondsMax);
  }

  #waitMilliseconds(): number {
    let [all, large] = [0, 0];
    for (const turn of this.#waiting) {
      all += turn.expectedMilliseconds;
      if (this.#isLarge(turn)) large += turn.expectedMilliseconds;
    }
    const correction = Math.min(correctionMax, Math.max(1 / correctionMax, this.#took / this.#expected));
    return correction * Math.max(all / this.#options.atOnceMax, large / this.#placesForLarge);
  }

  #lastOfTheBusiest(): Waiting | undefined {
    const work = new Map<string, { readonly milliseconds: number; readonly last: Waiting }>();
    for (const one of this.#waiting) {
      const { milliseconds, last } = work.get(one.payer) ?? { milliseconds: 0, last: one };
      work.set(one.payer, {
        milliseconds: milliseconds + one.expectedMilliseconds,
        last: one.order < last.order ? last : one,
      });
    }
    // Of two that have as much, the later one.
    return leastOf([...work.values()].toReversed(), ({ milliseconds }) => -milliseconds)?.last;
  }

  #refusal(): AppError {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#waitMilliseconds() / 1000));
    return new AppError("limited", this.#options.refusal, { retryAfterSeconds });
  }
}

function leastOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  const [first, ...others] = items;
  if (first === undefined) return undefined;
  return others.reduce((least, item) => (valueOf(item) < valueOf(least) ? item : least), first);
}
