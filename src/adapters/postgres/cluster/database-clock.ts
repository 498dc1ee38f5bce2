import type { Clock } from "../../../kernel/clock.ts";
import type { Logger } from "../../../kernel/log.ts";
import { databaseMs } from "./lease.ts";
import type { Sender } from "../../sql/sender.ts";

/** How often the database is asked for the time. */
const everyMs = 10_000;
/** A difference is taken over within this time, so that time neither jumps nor goes back. */
const slewMs = 10_000;
/**
 * A larger difference is no drift: a machine slept, or another server has another time. It is taken over at
 * once.
 */
const jumpMs = 2_000;
/** How far the machine's clock may be off before a line in the log says so. */
const warnMs = 2_000;

export type DatabaseClock = Clock &
  AsyncDisposable & {
    /** Asks the database for the time. Fails as the statement does. */
    readonly measure: () => Promise<void>;
    /** Unix milliseconds. */
    readonly nowMs: () => number;
    /** How far the machine's clock is ahead of the database's, in seconds. */
    readonly aheadSeconds: () => number;
  };

/**
 * The time of the database, which all nodes agree on, whatever their machines' clocks say. Between two
 * questions it goes on with the steady clock, so a machine's clock that is set meanwhile changes nothing.
 */
export function openDatabaseClock(db: Sender, log: Pick<Logger, "warn">): DatabaseClock {
  const steady = createSteadyTime();
  let aheadMs = 0;
  let isWarned = false;

  const measure = async (): Promise<void> => {
    const askedAt = performance.now();
    const [row] = await db.send(`SELECT ${databaseMs}`, []);
    const answeredAt = performance.now();
    // It was read in the middle of the way there and back, more or less.
    const time = Number(row?.[0]) + (answeredAt - askedAt) / 2;
    steady.set(answeredAt, time);
    aheadMs = Date.now() - time;
    const isOff = Math.abs(aheadMs) > warnMs;
    if (isOff && !isWarned) {
      const seconds = Math.round(aheadMs / 1000);
      log.warn("this machine's clock is not the database's, which counts", { aheadSeconds: seconds });
    }
    isWarned = isOff;
  };
  // What fails is tried again; until then time goes on as before.
  const timer = setInterval(() => void measure().catch(() => undefined), everyMs);

  return {
    nowSeconds: () => Math.floor(steady.at(performance.now()) / 1000),
    nowMs: () => steady.at(performance.now()),
    steadySeconds: () => performance.now() / 1000,
    measure,
    aheadSeconds: () => aheadMs / 1000,
    [Symbol.asyncDispose]: () => Promise.resolve(clearInterval(timer)),
  };
}

/** A time in milliseconds that goes on by itself and is corrected without a jump. Exported for tests. */
export function createSteadyTime() {
  /** The time at a moment of the steady clock, and what is still to be added to it from then on. */
  let known: { readonly moment: number; readonly time: number; readonly owed: number } | null = null;

  const at = (moment: number): number => {
    if (known === null) return Date.now();
    const passed = moment - known.moment;
    return known.time + passed + known.owed * Math.min(1, passed / slewMs);
  };
  return {
    at,
    /** The right time at a moment. */
    set: (moment: number, time: number): void => {
      const own = known === null ? time : at(moment);
      const owed = time - own;
      known = Math.abs(owed) > jumpMs ? { moment, time, owed: 0 } : { moment, time: own, owed };
    },
  };
}
