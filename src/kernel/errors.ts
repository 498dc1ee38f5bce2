import type { LogFields } from "./log.ts";

/**
 * The closed set of ways in which an operation can fail that a caller is told about. The first six are the contract's
 * (service-api.md, Errors); the rest are documented additions. Each surface owns one table from code to its own status.
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

/**
 * An expected failure with a message that its reader can act on: it names the field and the rule, never a secret. `field` is the
 * domain's word for the input at fault. A surface with another word for it puts its own before `rule`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** Null where the message is about no single field. */
  readonly field: string | null;
  /** The message without the field. */
  readonly rule: string;
  /** When trying again may help; only `limited` has it. */
  readonly retryAfterSeconds: number | null;
  /** The cause, for the operator's log and nobody else; null where the message says all. Never a secret. */
  readonly report: LogFields | null;

  constructor(
    code: ErrorCode,
    rule: string,
    options: { field?: string; cause?: unknown; retryAfterSeconds?: number; report?: LogFields } = {},
  ) {
    super(options.field === undefined ? rule : `${options.field}: ${rule}`, options);
    this.code = code;
    this.field = options.field ?? null;
    this.rule = rule;
    this.report = options.report ?? null;
    this.retryAfterSeconds = code === "limited" ? (options.retryAfterSeconds ?? 5) : null;
  }
}

/** What the system or a driver calls an error (`ENOENT`, `SQLITE_BUSY`); null where it has no such name. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}
