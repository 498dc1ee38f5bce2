import { and, eq, sql } from "drizzle-orm";
import type { ImportStore } from "../../domain/ports/import-store.ts";
import { runColumns, toRun } from "./import-reads.ts";
import { importRuns } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, listed, overwritten, setsOf, statement } from "./statement.ts";
import { pick } from "./rows.ts";

const holder = sql.placeholder("holder");
const now = sql.placeholder("now");

const { counts: _counts, beganAt: _beganAt, ...taken } = runColumns;
/** A run that was killed goes on counting: it has announced nothing yet. */
const isKilled = sql`import_runs.state = 'running'`;
const takeRun = statement(
  sql`
    ${insertion(importRuns, runColumns)}
    ON CONFLICT (source) DO UPDATE SET ${overwritten(taken)},
      counts = CASE WHEN ${isKilled} THEN import_runs.counts ELSE excluded.counts END,
      began_at = CASE WHEN ${isKilled} THEN import_runs.began_at ELSE excluded.began_at END
    WHERE import_runs.holder IN ('', ${holder}) OR import_runs.until <= CAST(${now} AS bigint)
    RETURNING ${listed(runColumns)}`,
  runColumns,
);
const isHeld = and(eq(importRuns.source, sql.placeholder("source")), eq(importRuns.holder, holder));
const moveRun = statement(
  build
    .update(importRuns)
    .set(setsOf(pick(importRuns, "until", "cursor", "counts")))
    .where(isHeld)
    .returning({ source: importRuns.source }),
  { source: importRuns.source },
);
const endRun = command(
  build
    .update(importRuns)
    .set({ ...setsOf(pick(importRuns, "state", "endedAt")), holder: "", until: 0 })
    .where(isHeld),
);

/** The leases of imports. */
export function importRunStore(db: Sender): Pick<ImportStore, "takeRun" | "moveRun" | "endRun"> {
  return {
    takeRun: async ({ now, ...run }) => {
      const begun = { state: "running", cursor: "", beganAt: now, endedAt: null, counts: {} };
      const row = first(await takeRun(db, { ...begun, ...run, now }));
      return row === null ? null : toRun(row);
    },
    moveRun: async (run) => (await moveRun(db, run)).length > 0,
    endRun: ({ now, ...run }) => endRun(db, { ...run, endedAt: now }),
  };
}
