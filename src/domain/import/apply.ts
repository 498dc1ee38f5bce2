import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { commandLine } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import type { PlannedImport } from "../ports/planned-import.ts";
import { batchesOf, type Batches } from "./batches.ts";
import type { Deviation } from "./recheck.ts";
import { endRun, type HeldRun, type ImportCounts, type ImportDeps } from "./run.ts";
import { discardStaged, stageFiles, type Staged } from "./stage-files.ts";
import { TooContended } from "./batch-runs.ts";
import { texturesOf, writeBatch, type Batch, type Written } from "./write-batch.ts";

/** What an import reports while it is applied. */
export type ApplyOptions = {
  /** After each transaction: how many accounts of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** What was decided otherwise than in the plan. */
  readonly onDeviation?: (deviation: Deviation) => void;
};

/** How an import ended. `stopped`: on a signal, with the rest to come; the counts are those of this run. */
export type AppliedImport = { readonly state: "done" | "stopped"; readonly counts: ImportCounts };

/**
 * Carries a plan out: capes, then accounts with all that comes with them, each batch in one transaction, its
 * files stored before. Writes audit, and one event at the end. Fails with conflict when another run has taken
 * over, with no_space, and with unavailable where the database or the textures are away; what was applied
 * stays, and a further run goes on.
 */
export async function applyImport(
  deps: ImportDeps,
  run: HeldRun,
  planned: PlannedImport,
  options: ApplyOptions = {},
): Promise<AppliedImport> {
  await run.takeOver();
  const { source, system, holder, before } = run;
  await deps.transact(commandLine, async (tx) => {
    tx.audit("import.begin", null, { name: source, kind: system });
  });
  const work = new Application(deps, run, planned, options);
  let state: AppliedImport["state"] = "stopped";
  try {
    if (await work.run()) state = "done";
  } finally {
    const { account, player, skin, cape } = minus(work.counts, before);
    await deps
      .transact(commandLine, async (tx) => {
        const brought = { accounts: account, players: player, skins: skin, capes: cape };
        const facts = { name: source, kind: system, ...brought };
        tx.audit("import.end", null, state === "done" ? facts : { ...facts, reason: "stopped" });
      })
      .then(() => endRun(deps.transact, { source, holder, state }))
      // The failure of the work says more; the lease ends by itself.
      .catch((error: unknown) => {
        if (state === "done") throw error;
      });
  }
  if (run.signal.reason instanceof AppError && run.signal.reason.kind === "conflict") throw run.signal.reason;
  return { state, counts: minus(work.counts, before) };
}

/** A batch whose files are stored. */
type Ready = { readonly batch: Batch; readonly staged: Staged };

/** How often files are stored again because bitmaps lost their rows, or a single account conflicts. */
const attemptsMax = 5;
/** After batches of so many seconds a person who waits for the database gets it. */
const ownSeconds = 0.08;
const giveWayMs = 8;

/** One plan under way: the files of the next batch are stored while a batch is written. */
class Application {
  counts: ImportCounts;
  readonly #deps: ImportDeps;
  readonly #held: HeldRun;
  readonly #planned: PlannedImport;
  readonly #options: ApplyOptions;
  readonly #batches: Batches;
  readonly #total: number;
  #done = 0;
  /** The seconds of the batches since others were given way. */
  #worked = 0;

  constructor(deps: ImportDeps, held: HeldRun, planned: PlannedImport, options: ApplyOptions) {
    this.#deps = deps;
    this.#held = held;
    this.#planned = planned;
    this.#options = options;
    this.counts = held.before;
    this.#total = planned.counts.accounts;
    this.#batches = batchesOf(planned);
  }

  /** Whether all of the plan was applied. */
  async run(): Promise<boolean> {
    let next = this.#prepare(new Set());
    for (;;) {
      const ready = await next;
      if (ready === null) return true;
      if (this.#held.signal.aborted) {
        await discardStaged(this.#deps, ready.staged);
        return false;
      }
      next = this.#prepare(texturesOf(ready.batch));
      // Awaited in any case, so that what it has stored does not stay behind.
      next.catch(() => undefined);
      try {
        await this.#write(ready);
      } catch (error) {
        await next.then((other) => other && discardStaged(this.#deps, other.staged)).catch(() => undefined);
        throw error;
      }
      if (this.#worked >= ownSeconds) {
        await pause(giveWayMs);
        this.#worked = 0;
      }
    }
  }

  async #prepare(coming: ReadonlySet<TextureHash>): Promise<Ready | null> {
    const batch = this.#batches.next();
    if (batch === null) return null;
    return { batch, staged: await stageFiles(this.#deps, this.#planned, texturesOf(batch), coming) };
  }

  async #write({ batch, staged }: Ready): Promise<void> {
    let files = staged;
    for (let attempt = 1; ; attempt++) {
      const task = { run: this.#held, batch, staged: files, counts: this.counts };
      const began = this.#deps.clock.steadySeconds();
      const written = await writeBatch(this.#deps, task).catch(async (error: unknown) => {
        if (error instanceof TooContended) return "smaller" as const;
        if (isContended(error) && attempt < attemptsMax) return "again" as const;
        // After any other fault it is unknown whether the rows are there. The sweep finds out.
        if (error instanceof AppError && error.kind !== "unavailable") await discardStaged(this.#deps, files);
        throw error;
      });
      if (written === "smaller") return this.#writeHalves({ batch, staged: files });
      if (written === "again") continue;
      if (written !== null) {
        const seconds = this.#deps.clock.steadySeconds() - began;
        this.#worked += seconds;
        this.#batches.took(seconds, batch);
        return this.#finish(batch, files, written);
      }
      await discardStaged(this.#deps, files);
      if (attempt === attemptsMax) throw refusals.pictureVanishes();
      files = await stageFiles(this.#deps, this.#planned, texturesOf(batch));
    }
  }

  /** A file that both halves need is stored twice at most: what one has named, the other finds. */
  async #writeHalves({ batch, staged }: Ready): Promise<void> {
    this.#batches.shrink(batch.rows.length);
    await discardStaged(this.#deps, staged);
    for (const half of halvesOf(batch)) {
      await this.#write({
        batch: half,
        staged: await stageFiles(this.#deps, this.#planned, texturesOf(half)),
      });
    }
  }

  async #finish(batch: Batch, staged: Staged, written: Written): Promise<void> {
    const { onProgress, onDeviation } = this.#options;
    this.counts = written.counts;
    for (const deviation of written.deviations) onDeviation?.(deviation);
    // A further part of an account is no account.
    if (batch.kind === "accounts")
      this.#done += batch.rows.filter(({ id, account }) => id !== null || account !== null).length;
    onProgress?.(Math.min(this.#done, this.#total), this.#total);
    await discardStaged(this.#deps, staged, written.named);
  }
}

function halvesOf(batch: Batch): readonly Batch[] {
  const middle = Math.ceil(batch.rows.length / 2);
  return batch.kind === "capes"
    ? [
        { ...batch, rows: batch.rows.slice(0, middle) },
        { ...batch, rows: batch.rows.slice(middle) },
      ]
    : [
        { ...batch, rows: batch.rows.slice(0, middle) },
        { ...batch, rows: batch.rows.slice(middle) },
      ];
}

const isContended = (error: unknown) => error instanceof AppError && error.code === refusals.contended.code;

function minus(one: ImportCounts, other: ImportCounts): ImportCounts {
  return {
    account: one.account - other.account,
    player: one.player - other.player,
    skin: one.skin - other.skin,
    cape: one.cape - other.cape,
  };
}
