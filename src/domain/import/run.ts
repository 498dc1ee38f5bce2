import { setTimeout as pause } from "node:timers/promises";
import { PlainError } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Rules } from "../model/rules.ts";
import { commandLine } from "../model/actor.ts";
import type { SourceSystem } from "../ports/import-source.ts";
import type { ImportReads } from "../ports/import-store.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { TextureDeps } from "../textures/files.ts";

/** What an import is applied with. Its transactions are those of jobs, which give way to requests. */
export type ImportDeps = TextureDeps & {
  readonly reads: { readonly imports: ImportReads };
  readonly rules: Pick<Rules, "names">;
};

/** How many records of each kind have come. */
export type ImportCounts = Readonly<Record<"account" | "player" | "skin" | "cape", number>>;

/** A run that holds the lease of its source. */
export type HeldRun = {
  readonly source: string;
  readonly system: SourceSystem;
  readonly holder: string;
  /** What runs before it that were killed have brought, and not announced. */
  readonly before: ImportCounts;
  /** Aborts when the run has to end after the batch at work. */
  readonly signal: AbortSignal;
  /** Keeps the lease by itself while this has not been called; the result says how far it is. */
  readonly takeOver: () => Promise<void>;
};

type Options = {
  readonly source: string;
  readonly system: SourceSystem;
  /** See `HeldRun`. */
  readonly signal: AbortSignal;
  /** A run that may have been killed holds the source for so many seconds at most. */
  readonly onWaiting: (seconds: number) => void;
};

/**
 * Holds the lease of a source for a work, which plans and applies: a plan that was made before another run
 * ended would bring the same people again. Waits for the end of a lease that no run keeps; fails
 * with conflict where one does. What was applied stays when the work fails, and the next run goes on.
 */
export async function withImportRun<T>(
  deps: Pick<ImportDeps, "transact" | "reads">,
  options: Options,
  work: (run: HeldRun) => Promise<T>,
): Promise<T> {
  const holder = newUuid();
  const begun = await takeLease(deps, options, holder);
  const lost = new AbortController();
  const keeping = keepLease(deps.transact, { source: options.source, holder, counts: begun }, lost);
  try {
    return await work({
      source: options.source,
      system: options.system,
      holder,
      before: countsOf(begun),
      signal: AbortSignal.any([options.signal, lost.signal]),
      takeOver: keeping.stop,
    });
  } finally {
    await keeping.stop();
    // Where the database is away the lease ends by itself, and the next run announces what this one brought.
    await endRun(deps.transact, { source: options.source, holder, state: "stopped" }).catch(() => undefined);
  }
}

const askAgainMs = 250;

type Stored = Readonly<Record<string, number>>;

async function takeLease(
  { transact, reads }: Pick<ImportDeps, "transact" | "reads">,
  { source, signal, onWaiting }: Options,
  holder: string,
): Promise<Stored> {
  let awaited: number | null = null;
  for (;;) {
    const run = await transact(commandLine, async (tx) => {
      const until = tx.now + limits.importLeaseSeconds;
      const taken = await tx.imports.takeRun({ source, holder, until, now: tx.now });
      return { taken, now: tx.now };
    });
    if (run.taken !== null) return run.taken.counts;
    const held = await reads.imports.findRun(source);
    // It keeps its lease, so it is at work; or it was killed, and the lease ends.
    if (held !== null && awaited !== null && held.until !== awaited) throw atWork();
    if (held !== null && awaited === null) {
      awaited = held.until;
      onWaiting(Math.max(1, held.until - run.now));
    }
    await pause(askAgainMs, undefined, { signal });
  }
}

const atWork = () =>
  new PlainError("conflict", "another import of this source is at work: wait for its end, then run again");
/** The lease is another run's: what this one writes would come twice. */
export const takenOver = () =>
  new PlainError(
    "conflict",
    "another import of this source has taken over, because this one did not answer in time: let it end",
  );

type Lease = { readonly source: string; readonly holder: string; readonly counts: Stored };

/** Renews the lease until it is stopped. Then the batches that are applied do, each in its transaction. */
function keepLease(transact: Transact, lease: Lease, lost: AbortController) {
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    const isKept = await transact(commandLine, ({ imports, now }) =>
      imports.moveRun({ ...lease, until: now + limits.importLeaseSeconds, cursor: "" }),
    ).catch(() => true);
    if (!isKept) lost.abort(takenOver());
  };
  const timer = setInterval(
    () => {
      renewing = renewing.then(renew);
    },
    (limits.importLeaseSeconds * 1000) / 4,
  );
  return {
    stop: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}

/** Ends a run, and announces what came. */
export async function endRun(
  transact: Transact,
  run: { readonly source: string; readonly holder: string; readonly state: "stopped" | "done" },
): Promise<void> {
  await transact(commandLine, async ({ imports, now }) => {
    const held = await imports.findRun(run.source);
    if (held?.holder !== run.holder) return;
    const { player } = countsOf(held.counts);
    if (player > 0) await imports.announceImported(player);
    await imports.endRun({ ...run, now });
  });
}

/** Counts as a row has them. */
function countsOf(stored: Stored): ImportCounts {
  const { account = 0, player = 0, skin = 0, cape = 0 } = stored;
  return { account, player, skin, cape };
}
