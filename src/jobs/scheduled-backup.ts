import type { Logger } from "../kernel/log.ts";

/**
 * Makes backups by the schedule (cron text) until it is disposed of. `make` is told to stop by its signal; its result goes
 * into the log. One that fails is logged and does not end the service; a run that takes longer than the schedule leaves no
 * second one to begin beside it.
 */
export function startScheduledBackups(deps: {
  readonly schedule: string;
  readonly make: (signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>;
  readonly log: Logger;
}): AsyncDisposable {
  const { schedule, make, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      log.info("backup made", await make(stopping.signal));
    } catch (error) {
      if (stopping.signal.aborted) log.warn("a backup was cut off: the server stops");
      else log.error("the scheduled backup failed", { error });
    }
  };
  // Bun looks for the next time only once the promise has settled, so runs never overlap.
  const job = Bun.cron(schedule, () => (running = run()));

  return {
    [Symbol.asyncDispose]: async () => {
      job.stop();
      stopping.abort();
      await running;
    },
  };
}
