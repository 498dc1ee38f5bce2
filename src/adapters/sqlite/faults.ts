import { SQLiteError } from "bun:sqlite";
import { refusals } from "../../domain/model/refusals.ts";
import type { AppError } from "../../kernel/errors.ts";

/** What a clash on a unique column means to the person who caused it. */
const clashes: Readonly<Record<string, () => AppError>> = {
  "accounts.mail_key": refusals.mailTaken,
  "players.name_key": refusals.nameTaken,
  "players.uuid": refusals.uuidTaken,
  "identities.account_id": refusals.linkedElsewhere,
  "identities.provider": refusals.personLinked,
  "service_tokens.name": refusals.takenTokenName,
};

/**
 * Turns a driver's error into an error of the domain. Returns an error that is not an expected failure
 * unchanged.
 */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  if (error.code === "SQLITE_FULL") return refusals.noSpace({ cause: error });
  // Use cases look before they write, so a row is missing only when it was deleted in between.
  if (error.code === "SQLITE_CONSTRAINT_FOREIGNKEY") {
    return refusals.goneMeanwhile({ cause: error });
  }
  const isClash = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(error.code ?? "");
  if (!isClash) return error;
  const column = /UNIQUE constraint failed: ([^\s,]+)/.exec(error.message)?.[1] ?? "";
  return clashes[column]?.() ?? error;
}

/** `translateFault` for a database that is open: what it cannot open is one more file beside it. */
export function translateOpenFault(error: unknown): unknown {
  const isFileMissing = error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_CANTOPEN");
  return isFileMissing ? refusals.noFiles({ cause: error, report: { error } }) : translateFault(error);
}

/** True when another process holds the database's write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
