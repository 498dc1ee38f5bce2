import type { AppError, FailureOptions } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Waiters } from "./waiters.ts";

/** The bounds of a queue. */
export type FairQueueOptions = {
  /** How much work may run at one time. */
  readonly atOnceMax: number;
  /**
   * Work that is expected to take longer leaves one of several places free, so small work need not wait for
   * its end.
   */
  readonly largeMilliseconds?: number;
  /** How many pieces of work may wait, however small. */
  readonly waitingMax: number;
  /** Milliseconds within which all waiting work should be done. */
  readonly waitMillisecondsMax: number;
  /** The message of a refusal. */
  readonly refusal: (options: FailureOptions) => AppError;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
};

/** A request for a turn: who waits for the work, and about how many milliseconds it takes. */
export type Turn = { readonly waiters: Waiters; readonly expectedMilliseconds: number };

type Waiting = Turn & {
  /**
   * Clients get turns in the order of this moment; `payer` is the client that this turn counts for, and
   * `within` are the networks that it is part of.
   */
  due: number;
  payer: string;
  within: readonly string[];
  /** A client's own work runs in the order of this moment. */
  readonly order: number;
  readonly enter: () => void;
  readonly refuse: (reason: unknown) => void;
};

/**
 * A turn is due after its expected time multiplied by this. So much later smaller work may come and still go
 * first; and so much slower than expected the work may be before a late client has to wait for the other
 * clients' queued work.
 */
const dueFactor = 8;
/** How far measured times may correct expected ones. Beyond that, other programs used the processor. */
const correctionMax = 4;

/**
 * Runs a bounded amount of work at once, in a fair order. The more work a client has in the queue, the later
 * its next turn is due, so clients share the time evenly. At each of its turns a client's smallest work runs,
 * unless larger work has waited for long. A turn is never postponed, so nothing starves. The expected time of
 * all waiting work is bounded; beyond it, the client with the most waiting work loses its last. However many
 * clients a larger network has, it pays as `limits.siteShare` of them.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #now: () => number;
  readonly #underway = new Set<Turn>();
  readonly #waiting = new Set<Waiting>();
  /** Milliseconds that recent work took, and that it was expected to take; the latest counts most. */
  #took = 100;
  #expected = 100;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Runs the work when its turn comes, and resolves to its result. Fails with limited when the work may not
   * wait or has waited for 10 seconds, and with an AbortError when all its waiters are gone. Work that has
   * begun is never interrupted.
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

  /** Whether work could begin now, without waiting. */
  get hasPlace(): boolean {
    return this.#waiting.size === 0 && this.#underway.size < this.#options.atOnceMax;
  }

  /** Fills the free place at once, so that a newcomer cannot take it. */
  #giveTurn(): void {
    const fitting = [...this.#waiting].filter((one) => this.#hasPlaceFor(one));
    const next = leastOf(fitting, ({ due }) => due);
    if (next === undefined) return;
    const first = leastOf(
      fitting.filter(({ payer }) => payer === next.payer),
      ({ order }) => order,
    );
    if (first === undefined) return;
    // The two swap their turns.
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
      within: [],
      order: this.#now() + dueFactor * expectedMilliseconds,
      enter: () => {
        this.#underway.add(turn);
        leave(resolve);
      },
      refuse: (reason) => leave(() => reject(reason)),
    };
    const tooLong = setTimeout(() => waiting.refuse(this.#refusal()), limits.queueSecondsMax * 1000);
    waiters.allGone.addEventListener("abort", () => waiting.refuse(waiters.allGone.reason), { once: true });
    const takeTurnOf = (client: string): void => {
      const within = waiters.within(client);
      const due = this.#now() + dueFactor * this.#shareOf({ payer: client, within }, turn);
      if (due < waiting.due) Object.assign(waiting, { due, payer: client, within });
    };
    for (const client of waiters.clients) takeTurnOf(client);
    // A client that joins need not wait for everything that the first one has in the queue.
    waiters.onJoin = takeTurnOf;
    this.#waiting.add(waiting);
    while (this.#isTooMuch()) this.#lastOfTheBusiest()?.refuse(this.#refusal());
    return promise;
  }

  /**
   * Milliseconds of work that count for the client, this one included: its own work, or its part of its
   * network's.
   */
  #shareOf(by: Payer, { waiters, expectedMilliseconds }: Turn): number {
    const work = sharesOf(by).map(({ key, share }) => {
      let milliseconds = expectedMilliseconds;
      for (const other of [...this.#underway, ...this.#waiting]) {
        if (other.waiters !== waiters && other.waiters.has(key)) milliseconds += other.expectedMilliseconds;
      }
      return milliseconds / share;
    });
    return Math.max(...work);
  }

  /** Work that waits alone may be of any length; otherwise it would always be refused. */
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
      for (const { key, share } of sharesOf(one)) {
        const { milliseconds, last } = work.get(key) ?? { milliseconds: 0, last: one };
        work.set(key, {
          milliseconds: milliseconds + one.expectedMilliseconds / share,
          last: one.order < last.order ? last : one,
        });
      }
    }
    // Among equals, the later one.
    return leastOf([...work.values()].toReversed(), ({ milliseconds }) => -milliseconds)?.last;
  }

  #refusal(): AppError {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#waitMilliseconds() / 1000));
    return this.#options.refusal({ retryAfterSeconds });
  }
}

type Payer = Pick<Waiting, "payer" | "within">;

/** The client and its networks, each with the number of clients that it counts as at most. */
function sharesOf({ payer, within }: Payer): readonly { readonly key: string; readonly share: number }[] {
  return [{ key: payer, share: 1 }, ...within.map((key) => ({ key, share: limits.siteShare }))];
}

function leastOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  const [first, ...others] = items;
  if (first === undefined) return undefined;
  return others.reduce((least, item) => (valueOf(item) < valueOf(least) ? item : least), first);
}
