import { setTimeout as pause } from "node:timers/promises";
import type { Leadership, Term } from "../../../domain/ports/leadership.ts";
import type { Atomically } from "../../../domain/ports/stores.ts";
import type { Logger } from "../../../kernel/log.ts";
import { within } from "../../../kernel/within.ts";
import { leaseSeconds, prolongMs, type Lease } from "./lease.ts";

/** The holder stops so much earlier than others may begin. */
const marginSeconds = 1;
/** How long the end of a term waits for its work. What takes longer is fenced off by the term's number. */
const endMs = 12_000;

type Options = {
  readonly lease: Lease;
  /** Transactions that begin with a check of the lease. */
  readonly atomicallyWithin: (term: number) => Atomically;
  readonly log: Pick<Logger, "info" | "warn">;
};

type OpenTerm = Term & {
  readonly number: number;
  readonly prolonged: (askedAt: Moment) => void;
  /** Ends the works; the same promise for all who ask. */
  readonly end: () => Promise<void>;
  readonly begin: (work: Work) => void;
};

/** Work that goes with the leadership, and what runs of it now. */
type Work = {
  readonly begin: (term: Term) => AsyncDisposable;
  running: AsyncDisposable | null;
};

/** The leadership of one of several nodes. Disposing of it ends the term and gives the lease back. */
export function openLeadership(options: Options): Leadership & AsyncDisposable {
  const works = new Set<Work>();
  const stopping = new AbortController();
  const terms = createTerms(options, works, stopping.signal);
  const looping = loop(terms.step, stopping.signal);

  return {
    isLeader: () => terms.current()?.isHeld() ?? false,
    whileLeading: (begin) => {
      const work: Work = { begin, running: null };
      works.add(work);
      const current = terms.current();
      if (current?.isHeld() === true) current.begin(work);
      return {
        [Symbol.asyncDispose]: async () => {
          works.delete(work);
          await endOf(work);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await looping;
      await terms.giveBack();
    },
  };
}

async function loop(step: () => Promise<void>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await step();
    // Rejects when it is aborted, which ends the loop.
    await pause(prolongMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** One term after the other, each with all the works that there are. */
function createTerms({ lease, atomicallyWithin, log }: Options, works: ReadonlySet<Work>, stop: AbortSignal) {
  let current: OpenTerm | null = null;
  const take = async (): Promise<void> => {
    const askedAt = moment();
    const number = await lease.take();
    if (number === null) return;
    const term = openTerm(number, { askedAt, atomically: atomicallyWithin(number), works });
    if (stop.aborted || !term.isHeld()) {
      await term.end();
      return lease.giveBack(number);
    }
    current = term;
    log.info("this node leads now", { term: number });
    for (const work of works) term.begin(work);
  };
  const prolong = async (term: OpenTerm): Promise<void> => {
    const askedAt = moment();
    const isKept = term.isHeld() && (await lease.prolong(term.number));
    if (isKept) return term.prolonged(askedAt);
    await term.end();
    current = null;
    log.warn("this node no longer leads", { term: term.number });
  };
  return {
    current: () => current,
    /** Takes the lease, or prolongs it. Does not fail. */
    step: async (): Promise<void> => {
      try {
        await (current === null ? take() : prolong(current));
      } catch (error) {
        // A node that does not lead has nothing to lose, and the pool's own line says that the database is
        // away.
        if (current?.isHeld() === true) log.warn("the leader's lease was not prolonged", { error });
      }
    },
    giveBack: async (): Promise<void> => {
      if (current === null) return;
      const { number } = current;
      await current.end();
      current = null;
      await lease.giveBack(number).catch(() => undefined);
    },
  };
}

function openTerm(
  number: number,
  given: {
    readonly askedAt: Moment;
    readonly atomically: Atomically;
    readonly works: ReadonlySet<Work>;
  },
): OpenTerm {
  const over = new AbortController();
  let { askedAt } = given;
  let ending: Promise<void> | null = null;
  let timer: Timer | undefined;
  const holdSeconds = leaseSeconds - marginSeconds;
  const isHeld = (): boolean => !over.signal.aborted && secondsSince(askedAt) < holdSeconds;
  const end = (): Promise<void> => {
    clearTimeout(timer);
    over.abort();
    ending ??= endAll(given.works);
    return ending;
  };
  const prolonged = (at: Moment): void => {
    if (over.signal.aborted) return;
    askedAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => void end(), (holdSeconds - secondsSince(at)) * 1000);
  };
  prolonged(askedAt);
  const term: Term = { signal: over.signal, isHeld, atomically: given.atomically };
  return {
    ...term,
    number,
    prolonged,
    end,
    begin: (work) => {
      work.running ??= work.begin(term);
    },
  };
}

async function endAll(works: ReadonlySet<Work>): Promise<void> {
  await within(endMs, Promise.all([...works].map(endOf)), () => undefined);
}

async function endOf(work: Work): Promise<void> {
  const { running } = work;
  work.running = null;
  await running?.[Symbol.asyncDispose]();
}

/** By both clocks: one stands still while the machine sleeps, the other one jumps when it is set. */
type Moment = { readonly steady: number; readonly wall: number };

function moment(): Moment {
  return { steady: performance.now(), wall: Date.now() };
}

/** The longer of both times, so that doubt ends the term. */
function secondsSince({ steady, wall }: Moment): number {
  return Math.max(performance.now() - steady, Date.now() - wall) / 1000;
}
