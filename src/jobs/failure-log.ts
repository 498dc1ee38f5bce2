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
      const wasAway = isAway;
      isAway = error instanceof AppError && error.code === "unavailable";
      if (!isAway) log.error(failure, { error });
      else if (!wasAway) log.warn(failure, { error });
    },
    worked: (): void => void (isAway = false),
  };
}
