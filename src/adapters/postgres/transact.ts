import { setTimeout as pause } from "node:timers/promises";
import { refusals } from "../../domain/model/refusals.ts";
import type { Outcome, Rerun } from "../../domain/ports/engine.ts";
import type { Atomically, Stores } from "../../domain/ports/stores.ts";
import type { AppError } from "../../kernel/errors.ts";
import { createOneByOne } from "../../kernel/one-by-one.ts";
import { StatementFault, translateFault, type FaultKind } from "./connections/faults.ts";
import type { Pool } from "./connections/pool.ts";
import type { Sender } from "../sql/sender.ts";
import type { TransactionSession } from "./connections/session.ts";

/**
 * However often a run is refused, a work ends. Ten were too few for forty people who upload and delete the
 * same picture.
 */
const runsMax = 30;
/**
 * No run of a work begins later than this after it was asked for: the last one may take three seconds, and a
 * request gets 503 within ten.
 */
const workMs = 7_000;
/**
 * So many runs of a work wait for the same actor's works alone. A work that met others in all of them may be
 * one of many about the same thing.
 */
const ownRunsMax = 4;
/** The mean of the pause before a second run, which grows with each further one. */
const pauseMs = 2;

/**
 * How often a fault lets a work run again, within its runs and time. A row that is there, or is not, shows
 * itself to the next run; one that many add and remove may have changed once more by then.
 */
const repeats: Partial<Record<FaultKind, number>> = {
  conflict: Infinity,
  ended: 10,
  standby: Infinity,
  clash: 3,
  missing: 3,
};

/** The stores of one place for transactions, which are made once, and what surrounds each run of a work. */
export type Place = {
  readonly stores: Stores;
  /** A run begins: what was noted in one that failed is forgotten. */
  readonly begin: () => void;
  /** The transaction's last statements. */
  readonly write: () => Promise<void>;
  /** After the commit. Must not throw. */
  readonly committed: () => void;
  /** Whether the run has entries for the audit, which all transactions chain to one row. */
  readonly isAudited: () => boolean;
  /** Before a run reads anything: waits for that row, which from then on no other transaction can change. */
  readonly awaitTurn: () => Promise<void>;
};

export type TransactionStats = {
  readonly commits: number;
  /** Runs after the first one, by the fault of the run before. */
  readonly repeats: Readonly<Partial<Record<FaultKind, number>>>;
  /** Works that failed because their runs or their time were used up. */
  readonly givenUp: number;
  /** Commits without an answer: whether they were done is not known. */
  readonly unknown: number;
};

export type Transactions = {
  /** In a lane of the pool; `guard` is the first act of each transaction, and fails where it must not be. */
  readonly inLane: (lane: "requests" | "jobs", guard?: (session: Sender) => Promise<void>) => Atomically;
  readonly stats: () => TransactionStats;
};

type Options = {
  readonly pool: Pick<Pool, "transaction" | "beginText">;
  readonly makePlace: (sender: Sender) => Place;
  /** Whether works run again that need not. */
  readonly rerun?: Rerun | undefined;
};

/**
 * Transactions that are kept as if they had run one after the other. One that comes between others fails, and
 * its work runs again. Such runs of one actor go one at a time, because all at once they would mostly meet
 * again. So do, for the whole lane, those of works that many actors make about the same thing: that met
 * others again and again, or that are audited. An audited one meets every other one that is: it gets its turn
 * before it runs again, as often as its time allows. A work is never run again once its COMMIT was sent and
 * not answered: it may have been done, and fails with unavailable.
 */
export function createTransactions({ pool, makePlace, rerun = () => false }: Options): Transactions {
  // A reason that has not come yet counts as 0: what watches it needs a beginning.
  const none = { conflict: 0, ended: 0, standby: 0, clash: 0, missing: 0 };
  const stats: Counts = { commits: 0, repeats: none, givenUp: 0, unknown: 0 };
  const places = new WeakMap<TransactionSession, Place>();
  const placeOf = (session: TransactionSession): Place => {
    const known = places.get(session);
    if (known !== undefined) return known;
    const made = makePlace(session);
    places.set(session, made);
    return made;
  };
  const oneByOne = createOneByOne();

  return {
    inLane:
      (lane, guard) =>
      async (work, actor = "") => {
        const tries: Tries = { run: 1, met: {}, isAudited: false, deadline: performance.now() + workMs };
        const attempt = async (session: TransactionSession) => {
          const place = placeOf(session);
          return runOnce(session, place, {
            beginText: pool.beginText(lane),
            mayRunAgain: (outcome) => tries.run < runsMax && rerun(tries.run, outcome, work),
            work: async (stores) => {
              if (tries.isAudited) await place.awaitTurn();
              await guard?.(session);
              return work(stores);
            },
          }).finally(() => (tries.isAudited ||= place.isAudited()));
        };
        const tryOnce = async () => {
          try {
            const value = await pool.transaction(lane, attempt, tries.run > 1);
            stats.commits += 1;
            return { value };
          } catch (error) {
            countOrThrow(error, tries, stats);
            return null;
          }
        };
        const rowOfNext = () => (tries.isAudited || tries.run > ownRunsMax ? lane : `${lane} of ${actor}`);
        const runIn = async (row: string) => {
          let done: Awaited<ReturnType<typeof tryOnce>> = null;
          while (done === null && rowOfNext() === row) {
            await pauseBefore(tries, stats);
            done = await tryOnce();
          }
          return done;
        };
        let done = await tryOnce();
        while (done === null) {
          const row = rowOfNext();
          done = await oneByOne(row, () => runIn(row));
        }
        return done.value;
      },
    stats: () => ({ ...stats, repeats: { ...stats.repeats } }),
  };
}

/** How many there were of each kind. */
type Faults = Partial<Record<FaultKind, number>>;

type Counts = {
  commits: number;
  readonly repeats: Faults;
  givenUp: number;
  unknown: number;
};

/** What is known of one work. */
type Tries = {
  /** The number of the next run. */
  run: number;
  /** The faults of those before. */
  readonly met: Faults;
  isAudited: boolean;
  /** No run begins later than this. */
  readonly deadline: number;
};

/**
 * Returns when the work may run again, as its next run; else throws its failure as an error of the domain.
 */
function countOrThrow(error: unknown, tries: Tries, stats: Counts): void {
  const { run, met, isAudited } = tries;
  if (!(error instanceof RunAgain)) {
    if (error instanceof UnknownCommit) stats.unknown += 1;
    if (!(error instanceof StatementFault)) throw error instanceof UnknownCommit ? error.refusal : error;
    const { kind } = error;
    met[kind] = (met[kind] ?? 0) + 1;
    if (met[kind] > (repeats[kind] ?? 0)) throw translateFault(error);
    if (run === runsMax) throw givenUp(met, stats, error);
    stats.repeats[kind] = (stats.repeats[kind] ?? 0) + 1;
  }
  tries.run = isAudited ? Math.min(run + 1, runsMax - 1) : run + 1;
}

/**
 * The pause before a further run, so that works which met do not meet again. Throws when it is too late for
 * one.
 */
async function pauseBefore({ run, met, isAudited, deadline }: Tries, stats: Counts): Promise<void> {
  await pause(Math.random() * 2 * pauseMs * (isAudited ? 1 : run - 1));
  if (performance.now() > deadline) throw givenUp(met, stats);
}

/** Other transactions were in the way, or the server was. */
function givenUp(met: Faults, stats: Counts, cause?: unknown): AppError {
  stats.givenUp += 1;
  const { conflict = 0, ended = 0, standby = 0 } = met;
  return conflict > ended + standby ? refusals.contended({ cause }) : refusals.unavailable({ cause });
}

type Run<T> = {
  readonly beginText: string;
  readonly mayRunAgain: (outcome: Outcome) => boolean;
  readonly work: (stores: Stores) => Promise<T>;
};

async function runOnce<T>(
  session: TransactionSession,
  place: Place,
  { beginText, mayRunAgain, work }: Run<T>,
): Promise<T> {
  session.begin(beginText);
  place.begin();
  let value: T;
  try {
    value = await work(place.stores);
    if (mayRunAgain({ value })) throw new RunAgain();
    await place.write();
  } catch (error) {
    // What failed in the database counts, also where the work made something else of it.
    const failure = session.fault() ?? error;
    await session.end("ROLLBACK").catch(() => undefined);
    if (failure instanceof StatementFault || failure instanceof RunAgain) throw failure;
    throw mayRunAgain({ error }) ? new RunAgain() : failure;
  }
  await commit(session);
  place.committed();
  return value;
}

async function commit(session: TransactionSession): Promise<void> {
  const done = await session.end("COMMIT").catch((error: unknown) => {
    const isUnknown = error instanceof StatementFault && ["ended", "late"].includes(error.kind);
    throw isUnknown ? new UnknownCommit(error) : error;
  });
  // The work caught the failure of a statement, and nothing is kept.
  if (done !== "COMMIT") throw session.fault() ?? new Error(`COMMIT was answered with ${done}`);
}

/** This run is rolled back, and the work runs again. */
class RunAgain extends Error {}

/** COMMIT was sent and not answered. */
class UnknownCommit extends Error {
  readonly refusal: AppError;

  constructor(cause: unknown) {
    super("COMMIT was not answered");
    this.refusal = refusals.unavailable({ cause });
  }
}
