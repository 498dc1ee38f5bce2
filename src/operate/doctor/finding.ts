import { AppError } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";
import { folderReasonOf } from "../../boot/data-folder-reasons.ts";

/** What a check found: how bad it is, what it is, and what to do about it. Nothing in it is secret. */
export type Finding = {
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly remedy: string | null;
};

/** One thing to look at. The signal says when its time is up. */
export type Check = (signal: AbortSignal) => Promise<readonly Finding[]>;

export function ok(message: string): Finding {
  return { state: "ok", message, remedy: null };
}

/** It works, but not as well or as safely as it could. */
export function warning(message: string, remedy: string): Finding {
  return { state: "warning", message, remedy };
}

/** It does not work, or will not for long. */
export function problem(message: string, remedy: string): Finding {
  return { state: "problem", message, remedy };
}

/** What an error says, with its code where the system gave one. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause instanceof AppError) return cause.message;
  const network = networkReason(cause);
  if (network !== null) return network;
  const code = "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return `${cause.message}${code}`;
}

/** A check that could not be made: the reason, and what a start that fails of it would say to do. */
export function failure(message: string, cause: unknown): Finding {
  return problem(message, folderReasonOf(cause)?.remedy ?? "mend what it names, then look again");
}
