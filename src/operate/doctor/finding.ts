import type { Config, LoadedConfig } from "../../boot/config.ts";
import { folderReasonOf, type DataFolder } from "../../boot/data-folder.ts";
import type { DatabaseReach } from "../../boot/postgres-tools.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { AppError } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";

/** A result of a check. Those that staff see have a code as well (`CodedFinding`). */
export type Finding = Pick<CodedFinding, "state" | "message" | "remedy">;

/** What is examined. */
export type Subject = {
  readonly loaded: LoadedConfig;
  readonly config: Config;
  readonly folder: DataFolder;
  /** Unix seconds. */
  readonly now: number;
  /** Whether this process is the server that is examined, and no command. */
  readonly isServer: boolean;
  /** What can be read of the database of DATABASE_URL, which is looked for once for all checks. */
  readonly reach: () => Promise<DatabaseReach>;
};

/** Examines one thing and changes nothing. The signal aborts when the time for it is up. */
export type Check<Found extends Finding = Finding> = (
  subject: Subject,
  signal: AbortSignal,
) => AsyncIterable<Found> | Iterable<Found> | Promise<readonly Found[]>;

export function ok(message: string): Finding {
  return { state: "ok", message, remedy: null };
}

/** It works, but not as well or as safely as it could. */
export function warning(message: string, remedy: string): Finding {
  return { state: "warning", message, remedy };
}

/** It does not work, or will soon stop working. */
export function problem(message: string, remedy: string): Finding {
  return { state: "problem", message, remedy };
}

/** The message of an error, with its code if the system gave one. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause instanceof AppError) return cause.message;
  const network = networkReason(cause);
  if (network !== null) return network;
  const code = "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return `${cause.message}${code}`;
}

/** A check that failed: the reason, with the remedy that a start which fails for the same reason prints. */
export function failure(message: string, cause: unknown): CodedFinding {
  return found("check_failed", { reason: message, remedy: failureRemedy(cause) });
}

function failureRemedy(cause: unknown): string {
  const reported = cause instanceof AppError ? cause.report?.["remedy"] : remedyOf(cause);
  const remedy = typeof reported === "string" ? reported : folderReasonOf(cause)?.remedy;
  return remedy ?? "correct what it names, then run doctor again";
}

/** A fault of a database's statement has one. */
function remedyOf(cause: unknown): unknown {
  return cause instanceof Error && "remedy" in cause ? cause.remedy : null;
}
