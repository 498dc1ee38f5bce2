import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";

/**
 * Logs that a work failed, each time; but while what it needs is away, which the log says once elsewhere, only the first time until
 * it works again.
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
      // What is away is at fault, so where in this program it was noticed says nothing.
      if (!isAway) log.warn(failure, { reason: error.message, ...error.report });
      isAway = true;
    },
    worked: (): void => void (isAway = false),
  };
}
