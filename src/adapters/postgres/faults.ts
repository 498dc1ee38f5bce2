import { SQL } from "bun";
import { refusals } from "../../domain/model/refusals.ts";
import { AppError } from "../../kernel/errors.ts";

/**
 * What a failed statement means: `ended`, its connection is gone, and whether it was done is unknown; `conflict`, another
 * transaction came between and the whole one may succeed when it runs again; `clash`, a unique key has the value already.
 */
export type FaultKind = "ended" | "conflict" | "clash" | "standby" | "other";

/** A failed statement. Nothing of it holds a value: addresses, hashes and codes never reach the log. */
export class StatementFault extends Error {
  override readonly name = "StatementFault";
  readonly kind: FaultKind;
  /** The server's code (https://www.postgresql.org/docs/current/errcodes-appendix.html); null when the driver failed. */
  readonly sqlState: string | null;
  readonly constraint: string | null;

  constructor(kind: FaultKind, sqlState: string | null, words: string, constraint: string | null = null) {
    super(`PostgreSQL: ${words}`);
    this.kind = kind;
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}

/** What a clash on a unique key means to the person who caused it, by the key's name. */
const clashes: Readonly<Record<string, () => AppError>> = {
  accounts_mail_key_unique: refusals.mailTaken,
  players_name_key_unique: refusals.nameTaken,
  players_uuid_unique: refusals.uuidTaken,
  identities_pkey: refusals.linkedElsewhere,
  identities_person: () =>
    new AppError("conflict", "This social account is linked to another account already"),
  service_tokens_name_unique: refusals.takenTokenName,
};

/** Turns a driver's error into a fault without values. Returns what is no driver's error unchanged. */
export function toFault(error: unknown): unknown {
  if (!(error instanceof SQL.PostgresError)) return error;
  const { errno, code, severity, constraint } = error;
  if (errno === undefined) return new StatementFault("ended", null, `the connection failed (${code})`);
  return new StatementFault(
    kindOf(errno, severity ?? ""),
    errno,
    `${wordsOf(error)} (${errno})`,
    constraint ?? null,
  );
}

function kindOf(sqlState: string, severity: string): FaultKind {
  if (severity === "FATAL" || severity === "PANIC" || sqlState.startsWith("08")) return "ended";
  // Of the class 40, 40003 alone leaves open what was done.
  if (sqlState === "40003") return "ended";
  if (sqlState.startsWith("40") || sqlState === "55P03") return "conflict";
  if (sqlState === "25006") return "standby";
  return sqlState === "23505" ? "clash" : "other";
}

/** Messages about data (class 22) quote it. */
function wordsOf({ message, errno, routine }: SQL.PostgresError): string {
  return errno?.startsWith("22") === true ? `a value was refused by ${routine ?? "the server"}` : message;
}

/** The server's code of a failed statement; null for any other error. */
export function stateOf(error: unknown): string | null {
  return error instanceof StatementFault ? error.sqlState : null;
}

/** Turns a fault into an error of the domain. Returns what is not an expected failure unchanged. */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof StatementFault)) return error;
  const { kind, sqlState, constraint } = error;
  if (kind === "ended" || kind === "conflict" || kind === "standby") return refusals.unavailable(error);
  if (kind === "clash") return clashes[constraint ?? ""]?.() ?? error;
  // Use cases look before they write, so a row is missing only when it was deleted in between.
  if (sqlState === "23503") {
    return new AppError("conflict", "What this belongs to has just been deleted", { cause: error });
  }
  // Disk full, out of memory, too many connections, a statement that took too long.
  return sqlState === "53100" ? refusals.noSpace(error) : error;
}
