import type { Values } from "./coded.ts";
import type { LogFields } from "./log-fields.ts";

/**
 * The closed set of failures that a caller learns about. The first six are the contract's
 * (docs/contract/answers.md#statuses). The rest are documented additions. Each surface has one table from
 * kind to its own status.
 */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "wrong_method"
  | "conflict"
  | "internal"
  | "too_large"
  | "too_slow"
  | "unsupported_type"
  | "limited"
  | "no_space"
  | "unavailable"
  | "upstream";

/** What went wrong, as plain data. It may cross threads. */
export type Failing = {
  readonly kind: ErrorKind;
  /** Stable, of `[a-z_]`; docs/contract/errors.md lists all. */
  readonly code: string;
  /** The message without the field. It may hold texts that people chose. */
  readonly rule: string;
  /** Further fields in it, which stand in double brackets: `must agree with [[model]]`. */
  readonly named?: readonly string[];
  /** Null where the message is about no single field. */
  readonly field?: string | null;
  /** What the message names. */
  readonly values?: Values;
};

/**
 * `field` replaces the refusal's own. `report` is for the operator's log only; without one the message says
 * everything.
 */
export type FailureOptions = {
  readonly field?: string | null;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  readonly report?: LogFields;
};

/**
 * An expected failure. Its message names the field and the rule, so that the reader can act on it, and never
 * a secret. `field` is the domain's word for the input at fault; a surface that has another word puts that
 * before `rule`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly kind: ErrorKind;
  readonly code: string;
  readonly field: string | null;
  readonly rule: string;
  readonly named: readonly string[];
  readonly values: Values;
  /** Seconds until a retry may succeed; only `limited` and `unavailable` have it. */
  readonly retryAfterSeconds: number | null;
  /** The cause, for the operator's log only; null when the message says everything. Never a secret. */
  readonly report: LogFields | null;

  constructor(failing: Failing, options: FailureOptions = {}) {
    const { kind, code, rule, named = [], values = {} } = failing;
    const field = options.field ?? failing.field ?? null;
    const text = ruleIn(failing, (name) => name);
    super(field === null ? text : `${field}: ${text}`, options);
    this.kind = kind;
    this.code = code;
    this.field = field;
    this.rule = rule;
    this.named = named;
    this.values = values;
    this.report = options.report ?? null;
    const mayRetry = kind === "limited" || kind === "unavailable";
    this.retryAfterSeconds = mayRetry ? (options.retryAfterSeconds ?? secondsIn(values) ?? 5) : null;
  }
}

/** A rule with words for the fields that it names. */
export function ruleIn(
  { rule, named = [] }: Pick<Failing, "rule" | "named">,
  wordOf: (field: string) => string,
): string {
  return named.reduce((text, name) => text.replaceAll(`[[${name}]]`, () => wordOf(name)), rule);
}

function secondsIn({ seconds }: Values): number | null {
  return typeof seconds === "number" ? seconds : null;
}

/**
 * A failure without a code of its own, which is its kind: for operators, on the command line and in the log,
 * and for protocols that know no codes. `test/tidy` keeps it out of what the API does.
 */
export class PlainError extends AppError {
  constructor(kind: ErrorKind, rule: string, options: FailureOptions = {}) {
    super({ kind, code: kind, rule }, options);
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
