import { refusals } from "../model/refusals.ts";
import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { AppError } from "../../kernel/errors.ts";
import { behalf, onBehalfOf } from "../../kernel/on-behalf.ts";
import type { CallGate } from "../ports/call-gate.ts";

/** Lanes of calls, each of which lets one in at a time, with a pause between two. */
export type Turnstiles = {
  /**
   * Runs a call when it is its turn in the lane. Networks that were served less lately go first. Fails with
   * limited when it would wait too long, and with an AbortError when its client hangs up meanwhile. The pause
   * begins unless the call fails.
   */
  readonly pass: <T>(lane: string, site: string, call: () => Promise<T>) => Promise<T>;
};

type Options = {
  readonly gate: CallGate;
  readonly pause: (seconds: number) => Promise<void>;
  /** Between two calls of a lane. */
  readonly pauseSeconds: number;
  readonly waitSecondsMax: number;
};

/** How a call ended: whether the pause begins. */
type End = Parameters<CallGate["leave"]>[1];

type Waiting = {
  readonly site: string;
  /** Seconds that it may still wait. */
  secondsLeft: number;
  /** Lets it in, and resolves when it has ended. */
  readonly enter: () => Promise<End>;
  readonly refuse: (reason: unknown) => void;
};

type Lane = {
  readonly waiting: Waiting[];
  /** When each network was served: a number that grows. */
  readonly served: Map<string, number>;
  turns: number;
};

/** Networks whose last turn a lane remembers; one that is displaced goes first again. */
const sitesMax = 64;

/** Makes lanes. Holds none in which no call waits or runs. */
export function createTurnstiles(options: Options): Turnstiles {
  const { gate, pauseSeconds, waitSecondsMax } = options;
  const lanes = new Map<string, Lane>();
  /** As many as get their turn within the time, and one for the turn that is free. */
  const placesMax = 1 + Math.floor(waitSecondsMax / pauseSeconds);
  const refusal = () => refusals.passwordTriedTooOften({ retryAfterSeconds: Math.ceil(pauseSeconds) });

  const run = async (key: string, lane: Lane): Promise<void> => {
    while (lane.waiting.length > 0) {
      const seconds = await gate.enter(key);
      if (seconds > 0) {
        refuseLate(lane, seconds, refusal);
        if (lane.waiting.length > 0) await options.pause(seconds);
        continue;
      }
      const next = takeNext(lane);
      await gate.leave(key, next === undefined ? { holds: false } : await next.enter());
    }
    lanes.delete(key);
  };

  const begin = (key: string): Lane => {
    const lane = { waiting: [], served: new BoundedMap<string, number>(sitesMax), turns: 0 };
    lanes.set(key, lane);
    return lane;
  };
  const drive = (key: string, lane: Lane): void => {
    // The lane outlives the call that begins it: what it asks its gate must not end when that one's client
    // hangs up.
    const { client = "", within = [] } = behalf() ?? {};
    const payer = { client, within, gone: null };
    onBehalfOf(payer, () => run(key, lane)).catch((error: unknown) => {
      // The gate failed, as it does while the database is away.
      lanes.delete(key);
      for (const one of lane.waiting.toReversed()) one.refuse(error);
    });
  };

  return {
    pass: async (key, site, call) => {
      const known = lanes.get(key);
      const lane = known ?? begin(key);
      const entered = wait(lane, { site, secondsLeft: waitSecondsMax });
      if (lane.waiting.length > placesMax) inOrder(lane).at(-1)?.refuse(refusal());
      if (known === undefined) drive(key, lane);
      const leave = await entered;
      let holds = false;
      try {
        const result = await call();
        holds = true;
        return result;
      } finally {
        leave({ holds });
      }
    },
  };
}

/** Puts a call into the lane. Resolves when it may begin, to what it calls at its end. */
function wait(lane: Lane, given: Pick<Waiting, "site" | "secondsLeft">): Promise<(end: End) => void> {
  const entered = Promise.withResolvers<(end: End) => void>();
  const left = Promise.withResolvers<End>();
  const gone = behalf()?.gone ?? null;
  const hangUp = () => one.refuse(gone?.reason);
  const leave = () => {
    lane.waiting.splice(lane.waiting.indexOf(one), 1);
    gone?.removeEventListener("abort", hangUp);
  };
  const one: Waiting = {
    ...given,
    enter: () => {
      leave();
      entered.resolve(left.resolve);
      return left.promise;
    },
    refuse: (reason) => {
      leave();
      entered.reject(reason);
    },
  };
  gone?.throwIfAborted();
  lane.waiting.push(one);
  gone?.addEventListener("abort", hangUp, { once: true });
  return entered.promise;
}

/** Refuses what would wait too long, and counts the time for the others. */
function refuseLate(lane: Lane, seconds: number, refusal: () => AppError): void {
  for (const one of lane.waiting) one.secondsLeft -= seconds;
  for (const one of lane.waiting.filter(({ secondsLeft }) => secondsLeft < 0)) one.refuse(refusal());
}

/** The call whose network was served least lately; of several the one that came first. */
function takeNext(lane: Lane): Waiting | undefined {
  const [next] = inOrder(lane);
  if (next !== undefined) lane.served.set(next.site, (lane.turns += 1));
  return next;
}

/** A network's second call waits behind the first ones of all others. */
function inOrder({ waiting, served }: Lane): readonly Waiting[] {
  const own = new Map<string, number>();
  const placed = waiting.map((one) => {
    const before = own.get(one.site) ?? 0;
    own.set(one.site, before + 1);
    return { one, before, served: served.get(one.site) ?? 0 };
  });
  return placed
    .toSorted((one, other) => one.before - other.before || one.served - other.served)
    .map(({ one }) => one);
}
