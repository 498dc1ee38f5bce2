import { refusals } from "../../domain/model/refusals.ts";
import type { Rerun } from "../../domain/ports/engine.ts";
import type { Atomically, Stores } from "../../domain/ports/stores.ts";
import { isBusy, translateOpenFault } from "./faults.ts";
import type { Database } from "bun:sqlite";

/** How long a transaction waits for another process (a command, a backup) to finish writing. */
const lockWaitMs = 10_000;
const lockRetryMs = 5;
/** Writers that may wait for their turn. At a thousand commits a second the last one waits two seconds. */
const waitingMax = 2_000;
/** However often a run is refused, a work ends. */
const runsMax = 5;

const never: Rerun = () => false;

/** What happens around every transaction. Only `write` and `beforeCommit` may throw. */
export type TransactionHooks = {
  readonly begin: () => void;
  /** The last writes of the stores. */
  readonly write: () => Promise<void>;
  /** At the commit: nothing else of this process runs in between. */
  readonly beforeCommit: () => void;
  readonly committed: () => void;
  /** Resolves once everything that was committed before is on disk. */
  readonly kept: () => Promise<void>;
};

/**
 * One queue of transactions on the writing handle. drizzle's own `transaction()` commits an async callback at
 * its first await, so begin, commit and rollback are said here, and nothing else of this process writes in
 * between.
 */
export function createAtomically(
  writer: Database,
  stores: Stores,
  hooks: TransactionHooks,
  rerun: Rerun = never,
): Atomically {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return async (work) => {
    if (waiting >= waitingMax) throw refusals.tooManyChanges();
    waiting += 1;
    // One deadline from now on: all who wait behind another process's lock fail together, not one after the
    // other.
    const deadline = performance.now() + lockWaitMs;
    const turn = tail.then(() => runAlone(writer, { deadline, hooks, rerun }, () => work(stores)));
    tail = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      const result = await turn;
      await hooks.kept();
      return result;
    } finally {
      waiting -= 1;
    }
  };
}

type Run = { readonly deadline: number; readonly hooks: TransactionHooks; readonly rerun: Rerun };

async function runAlone<T>(
  writer: Database,
  { deadline, hooks, rerun }: Run,
  work: () => Promise<T>,
): Promise<T> {
  const client = writer;
  for (let run = 1; ; run++) {
    await beginImmediate(writer, deadline);
    hooks.begin();
    let value: T;
    try {
      value = await work();
      if (run < runsMax && rerun(run, { value }, work)) continue;
      await hooks.write();
      hooks.beforeCommit();
      client.run("COMMIT");
    } catch (error) {
      if (run < runsMax && rerun(run, { error }, work)) continue;
      throw translateOpenFault(error);
    } finally {
      // After a full disk SQLite has rolled back by itself.
      if (client.inTransaction) client.run("ROLLBACK");
    }
    hooks.committed();
    return value;
  }
}

/** Takes the write lock. Waits for other processes without holding the event loop. */
async function beginImmediate(writer: Database, deadline: number): Promise<void> {
  for (;;) {
    try {
      writer.run("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isBusy(error)) throw translateOpenFault(error);
      if (performance.now() > deadline) {
        throw new Error("The database is locked by another process for more than 10 seconds", {
          cause: error,
        });
      }
    }
    await Bun.sleep(lockRetryMs);
  }
}
