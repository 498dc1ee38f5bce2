import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";

/**
 * Logs each failure of a work. While something it needs is away, which another line says, only the first
 * failure is logged until the work succeeds again.
 */
export function failureLog(log: Logger, failure: string) {
  let isAway = false;
  return {
    failed: (error: unknown): void => {
      if (!(error instanceof AppError) || error.kind !== "unavailable") {
        isAway = false;
        log.error(failure, { error });
        return;
      }
      // Without a stack: where the program noticed the outage does not matter.
      if (!isAway) log.warn(failure, { reason: error.message, ...error.report });
      isAway = true;
    },
    worked: (): void => void (isAway = false),
  };
}
