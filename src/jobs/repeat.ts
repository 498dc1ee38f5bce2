import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";

/**
 * Does the work every `everyMs`, never twice at a time. A failure is logged, and the next run tries again; while what the work needs
 * is away, only the first failure is logged. `now` runs the work at once, or waits for the run under way; `stop` begins no more
 * runs, and waits for that one too.
 */
export function repeat(log: Logger, failure: string, everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let wasAway = false;
  const failed = (error: unknown): void => {
    const isAway = error instanceof AppError && error.code === "unavailable";
    if (!isAway || !wasAway) log.error(failure, { error });
    wasAway = isAway;
  };
  const now = (): Promise<void> => {
    running ??= work()
      .then(() => void (wasAway = false), failed)
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
