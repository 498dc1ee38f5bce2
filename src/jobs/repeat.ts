import { failureLog } from "./failure-log.ts";
import type { Logger } from "../kernel/log.ts";

/**
 * Does the work every `everyMs`, never twice at a time. A failure is logged, and the next run tries again.
 * `now` runs the work at once, or waits for the run under way; `stop` begins no more runs, and waits for that
 * one too.
 */
export function repeat(log: Logger, failure: string, everyMs: number, work: () => Promise<void>) {
  const { failed, worked } = failureLog(log, failure);
  let running: Promise<void> | null = null;
  const now = (): Promise<void> => {
    running ??= work()
      .then(worked, failed)
      .finally(() => (running = null));
    return running;
  };
  const timer = setInterval(now, everyMs);
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await running;
  };
  return { now, stop };
}
