import { openPlanBook } from "../../adapters/sqlite/plan-book/plan-book.ts";
import type { Ports } from "../../boot/compose.ts";
import type { Config } from "../../boot/config.ts";
import { applyImport, type AppliedImport } from "../../domain/import/apply.ts";
import { withImportRun } from "../../domain/import/run.ts";
import type { ImportSource } from "../../domain/ports/import-source.ts";
import { makePlan, nameOf, type ImportOptions, type ImportOrder, type ShownPlan } from "./plan-import.ts";
import { writeResult, writeSummary } from "./report-files.ts";

/** What hears how far an import is. */
export type RunOptions = ImportOptions & {
  /** The plan is made, and nothing of it is applied yet. */
  readonly onPlanned: (shown: ShownPlan) => void;
  readonly onApplied: (done: number, total: number) => void;
  /** Another run may have been killed; how many seconds this one waits at most. */
  readonly onWaiting: (seconds: number) => void;
};

/** How an import ended. `applied` is null where the plan has open questions. */
export type RanImport = { readonly shown: ShownPlan; readonly applied: AppliedImport | null };

/**
 * Plans and applies an import of an open source. Fails with conflict while another run of this source is at
 * work, and as `applyImport` does; what was applied stays, and a further run goes on.
 */
export async function runImport(
  services: Ports,
  config: Config,
  { order, source }: { readonly order: ImportOrder; readonly source: ImportSource },
  options: RunOptions,
): Promise<RanImport> {
  const { backgroundReads: reads, backgroundTransact: transact, blobs, clock, rules } = services;
  const deps = { reads, transact, blobs, clock, rules };
  const lease = { source: nameOf(order, source), system: source.system };
  using book = openPlanBook();
  return await withImportRun(deps, { ...lease, ...options }, async (run) => {
    const parts = {
      book,
      source,
      reads: reads.imports,
      isDry: false,
      importer: services.importer,
      passwords: services.passwordForms,
    };
    const { made, shown } = await makePlan(config, order, { ...options, signal: run.signal }, parts);
    options.onPlanned(shown);
    if (shown.summary.asks > 0) return { shown, applied: null };
    const applied = await applyImport(deps, run, made.planned, {
      onProgress: options.onApplied,
      onDeviation: (deviation) => book.decideAgain(deviation),
    });
    if (order.report !== null) {
      await writeSummary(order.report, { ...shown.summary, applied });
      if (applied.state === "done") await writeResult(order.report, book.decided(1000));
    }
    return { shown, applied };
  });
}
