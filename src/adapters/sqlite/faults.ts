import { SQLiteError } from "bun:sqlite";
import { AppError } from "../../kernel/errors.ts";

/** What a clash on a unique column means to the person who caused it. */
const clashes: Readonly<Record<string, string>> = {
  "accounts.mail_key": "mail: an account with this address exists already",
  "players.name_key": "username: is taken already",
  "identities.account_id": "This account is linked to another social account already",
  "identities.provider": "This social account is linked to another account already",
  "service_tokens.name": "name: a token of this name exists already",
};

/** Turns a driver's error into an error of the domain. Returns an error that is not an expected failure unchanged. */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  if (error.code === "SQLITE_FULL") {
    return new AppError("no_space", "No space is left on the server's disk", { cause: error });
  }
  // Use cases look before they write, so a row is missing only when it was deleted in between.
  if (error.code === "SQLITE_CONSTRAINT_FOREIGNKEY") {
    return new AppError("conflict", "What this belongs to has just been deleted", { cause: error });
  }
  const isClash = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(error.code ?? "");
  if (!isClash) return error;
  const column = /UNIQUE constraint failed: ([^\s,]+)/.exec(error.message)?.[1] ?? "";
  const message = clashes[column];
  return message === undefined ? error : new AppError("conflict", message, { cause: error });
}

/** True when another process holds the database's write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}
