import { SQL } from "bun";
import { refusals } from "../../../domain/model/refusals.ts";
import { type AppError, codeOf } from "../../../kernel/errors.ts";
import { connectReason, connectRemedies, refusalRemedy } from "./connect-reasons.ts";

/**
 * What a failed statement means: `ended`, its connection is gone, and whether it was done is unknown; `late`,
 * the same, because no answer came in time; `full`, the server takes no more connections; `standby`, it takes
 * no writes, and `older`, it takes some although another server has replaced it; `conflict`, another
 * transaction came between, and the whole one may succeed when it runs again; `clash`, a unique key has the
 * value already, and `missing`, a row that another refers to is not there: in a transaction that runs again,
 * its work sees why; `damaged`, the server cannot read its own files.
 */
export type FaultKind =
  "ended" | "late" | "full" | "standby" | "older" | "conflict" | "clash" | "missing" | "damaged" | "other";

/** A failed statement. Nothing of it holds a value: addresses, hashes and codes never reach the log. */
export class StatementFault extends Error {
  override readonly name = "StatementFault";
  readonly kind: FaultKind;
  /**
   * The server's code (https://www.postgresql.org/docs/current/errcodes-appendix.html); null when the driver
   * failed.
   */
  readonly sqlState: string | null;
  readonly constraint: string | null;
  /** What an operator can do where it kept a connection from being opened; null: nothing that is known. */
  readonly remedy: string | null;

  constructor(
    kind: FaultKind,
    sqlState: string | null,
    words: string,
    more: { readonly constraint?: string | undefined; readonly remedy?: string | null } = {},
  ) {
    super(`PostgreSQL: ${words}`);
    this.kind = kind;
    this.sqlState = sqlState;
    this.constraint = more.constraint ?? null;
    this.remedy = more.remedy ?? null;
  }
}

/** What a clash on a unique key means to the person who caused it, by the key's name. */
const clashes: Readonly<Record<string, () => AppError>> = {
  accounts_mail_key_unique: refusals.mailTaken,
  players_name_key_unique: refusals.nameTaken,
  players_uuid_unique: refusals.uuidTaken,
  identities_pkey: refusals.linkedElsewhere,
  identities_person: refusals.personLinked,
  service_tokens_name_unique: refusals.takenTokenName,
};

/** No answer came in time. */
export function lateFault(seconds: number): StatementFault {
  return new StatementFault("late", null, `no answer within ${seconds} s`, { remedy: connectRemedies.late });
}

/** It follows another server, and takes no writes. */
export function standbyFault(): StatementFault {
  const words = "this server follows another one, and takes no writes";
  return new StatementFault("standby", null, words, { remedy: connectRemedies.standby });
}

/** It takes writes on a timeline that ended when another server was promoted. */
export function olderFault(timeline: number, newer: number): StatementFault {
  const words = `this server takes writes on timeline ${timeline}, and was replaced by one on timeline ${newer}`;
  return new StatementFault("older", null, words, { remedy: connectRemedies.older });
}

/** It follows no other server, and was switched to reads only. */
export function readOnlyFault(): StatementFault {
  const words = "this server was switched to reads only";
  return new StatementFault("standby", null, words, { remedy: connectRemedies.readOnly });
}

/**
 * Why no connection was opened: also by the rules of TLS, or because a file of certificates cannot be read.
 */
export function connectFault(error: unknown): unknown {
  const fault = toFault(error);
  if (fault instanceof StatementFault || !(fault instanceof Error)) return fault;
  const code = codeOf(fault);
  return code === null || connectReason(code) === null
    ? new StatementFault("ended", null, `the connection failed (${fault.message})`)
    : endedFault(code);
}

/** Turns a driver's error into a fault without values. Returns what is no driver's error unchanged. */
export function toFault(error: unknown): unknown {
  if (!(error instanceof SQL.PostgresError)) return error;
  const { errno, code, constraint } = error;
  if (errno === undefined) return endedFault(code);
  const more = { constraint, remedy: refusalRemedy(errno) };
  return new StatementFault(kindOf(error), errno, `${wordsOf(error)} (${errno})`, more);
}

function endedFault(code: string): StatementFault {
  const reason = connectReason(code);
  if (reason === null) return new StatementFault("ended", null, `the connection failed (${code})`);
  return new StatementFault("ended", null, `${reason.words} (${code})`, { remedy: reason.remedy });
}

/** Codes whose whole class does not mean the same. */
const kinds: Readonly<Record<string, FaultKind>> = {
  // Statement completion unknown; the others of class 40 say that nothing was done.
  "40003": "ended",
  "53300": "full",
  // A statement of the server's own deadline, which is later than ours.
  "57014": "late",
  // No lock within `lock_timeout`.
  "55P03": "conflict",
  "25006": "standby",
  "23505": "clash",
  "23503": "missing",
  // data_corrupted, index_corrupted, and a disk that does not read.
  XX001: "damaged",
  XX002: "damaged",
  "58030": "damaged",
};

function kindOf({ errno = "", severity, routine }: SQL.PostgresError): FaultKind {
  const known = kinds[errno];
  if (known !== undefined) return known;
  // The class 08 is about connections, also those of a pooler; what is fatal ends the connection.
  if (severity === "FATAL" || severity === "PANIC" || errno.startsWith("08")) return "ended";
  // A migration changed a table while its statement was prepared: it is prepared again the next time.
  if (errno.startsWith("40") || routine === "RevalidateCachedQuery") return "conflict";
  return "other";
}

/**
 * Messages about data (class 22) quote it. Of these about a setting its name stays, by which it can be left
 * out.
 */
function wordsOf({ message, errno, routine }: SQL.PostgresError): string {
  if (errno?.startsWith("22") !== true) return message;
  const setting = errno === "22023" ? /\bparameter "([a-z_]{1,40})"/.exec(message)?.[1] : undefined;
  return setting === undefined
    ? `a value was refused by ${routine ?? "the server"}`
    : `a value of the setting ${setting} was refused`;
}

/** The server's code of a failed statement; null for any other error. */
export function stateOf(error: unknown): string | null {
  return error instanceof StatementFault ? error.sqlState : null;
}

/** Turns a fault into an error of the domain. Returns what is not an expected failure unchanged. */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof StatementFault)) return error;
  if (error.kind === "clash") return clashes[error.constraint ?? ""]?.() ?? error;
  // Use cases look before they write, so a row is missing only when it was deleted in between.
  if (error.kind === "missing") {
    return refusals.goneMeanwhile({ cause: error });
  }
  if (error.kind === "damaged") return error;
  if (error.kind === "other") return error.sqlState === "53100" ? refusals.noSpace({ cause: error }) : error;
  if (error.kind === "conflict") return refusals.contended({ cause: error });
  return error.kind === "full" ? refusals.busy({ cause: error }) : refusals.unavailable({ cause: error });
}
