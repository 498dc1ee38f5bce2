import type { BackupRecord } from "../domain/backup/backup-record.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/log.ts";

/**
 * Facts of a backup for the log. `textures_lost` counts the textures that it could not read; `complaints`
 * name everything else that an operator should look at.
 */
export type MadeBackup = {
  readonly textures_lost: number;
  readonly complaints?: readonly string[];
  readonly [fact: string]: unknown;
};

/**
 * Makes backups by the schedule (cron text) until it is disposed of, which aborts the signal of `make`. The
 * result goes into the record and the log, as a warning where textures were lost. A failure is logged and
 * does not end the service. Runs never overlap: while one takes longer than the schedule, no other begins.
 */
export function startScheduledBackups(deps: {
  readonly schedule: string;
  readonly make: (signal: AbortSignal) => Promise<MadeBackup>;
  readonly record: BackupRecord;
  readonly clock: Pick<Clock, "nowSeconds">;
  readonly log: Logger;
}): AsyncDisposable {
  const { schedule, make, record, clock, log } = deps;
  const followed = record.follow(clock.nowSeconds());
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      report(log, await make(stopping.signal));
      followed.note(true);
    } catch (error) {
      if (stopping.signal.aborted) return log.warn("a backup was interrupted: the server stops");
      log.error("the scheduled backup failed", { error });
      followed.note(false);
    }
  };
  // Bun waits for the promise before it schedules the next run, so runs never overlap.
  const job = Bun.cron(schedule, () => (running = run()));

  return {
    [Symbol.asyncDispose]: async () => {
      job.stop();
      followed[Symbol.dispose]();
      stopping.abort();
      await running;
    },
  };
}

function report(log: Logger, made: MadeBackup): void {
  if (made.textures_lost === 0)
    return log[made.complaints === undefined ? "info" : "warn"]("backup made", made);
  log.warn("backup made, but textures are lost, so it removed no whole one; see cloakroom fsck", made);
}
