import type { LogFields } from "./log-fields.ts";

/**
 * The closed set of failures that a caller learns about. The first six are the contract's (docs/contract/answers.md#statuses); the rest are
 * documented additions. Each surface has one table from kind to its own status.
 */
export type ErrorKind =
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
  | "unavailable"
  | "upstream";

/** A field of the domain that a rule names. */
export const namedField = /\[\[(\w+)\]\]/g;

/**
 * An expected failure. Its message names the field and the rule, so that the reader can act on it, and never a secret. `field` is
 * the domain's word for the input at fault; a surface that has another word puts that before `rule`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly kind: ErrorKind;
  /** Null where the message is about no single field. */
  readonly field: string | null;
  /** The message without the field. Further fields in it stand in double brackets: `must agree with [[model]]`. */
  readonly rule: string;
  /** Seconds until a retry may succeed; only `limited` and `unavailable` have it. */
  readonly retryAfterSeconds: number | null;
  /** The cause, for the operator's log only; null when the message says everything. Never a secret. */
  readonly report: LogFields | null;

  constructor(
    kind: ErrorKind,
    rule: string,
    options: { field?: string | null; cause?: unknown; retryAfterSeconds?: number; report?: LogFields } = {},
  ) {
    const field = options.field ?? null;
    const text = rule.replaceAll(namedField, "$1");
    super(field === null ? text : `${field}: ${text}`, options);
    this.kind = kind;
    this.field = field;
    this.rule = rule;
    this.report = options.report ?? null;
    const mayRetry = kind === "limited" || kind === "unavailable";
    this.retryAfterSeconds = mayRetry ? (options.retryAfterSeconds ?? 5) : null;
  }
}

/** The system's or a driver's code of an error (`ENOENT`, `SQLITE_BUSY`); null without one. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}

/** Whether the system opens no more files, connections included, for this process or for all of them. */
export function isOutOfFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EMFILE" || code === "ENFILE";
}
