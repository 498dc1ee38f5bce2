import type { Logger } from "../kernel/log.ts";

/**
 * Does the work every so often, never twice at a time. What fails is logged and tried again the next time. `now` does it at
 * once, or waits for the run that is on its way; `stop` begins no more, and waits for that one too.
 */
export function repeat(log: Logger, failure: string, everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> | null = null;
  const now = (): Promise<void> => {
    running ??= work()
      .catch((error: unknown) => log.error(failure, { error }))
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
