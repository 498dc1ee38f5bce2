import type { LogFields } from "./log.ts";

/**
 * The closed set of failures that a caller learns about. The first six are the contract's (docs/contract/answers.md#statuses); the rest are
 * documented additions. Each surface has one table from code to its own status.
 */
export type ErrorCode =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "internal"
  | "too_large"
  | "too_slow"
  | "unsupported_type"
  | "limited"
  | "no_space"
  | "upstream";

/** An expected failure. Its message names the field and the rule, so that the reader can act on it, and never a secret. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** Seconds until a retry may succeed; only `limited` has it. */
  readonly retryAfterSeconds: number | null;
  /** The cause, for the operator's log only; null when the message says everything. Never a secret. */
  readonly report: LogFields | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; report?: LogFields } = {},
  ) {
    super(message, options);
    this.code = code;
    this.report = options.report ?? null;
    this.retryAfterSeconds = code === "limited" ? (options.retryAfterSeconds ?? 5) : null;
  }
}

/** The system's or a driver's code of an error (`ENOENT`, `SQLITE_BUSY`); null without one. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}
