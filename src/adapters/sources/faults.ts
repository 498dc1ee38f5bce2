/** Drivers' errors about a source, as sentences with cause and cure. They hold no value and no secret. */
import { AppError, codeOf, PlainError } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";
import { describeSource, type ServerAddress } from "./address.ts";

const grant = "grant SELECT on its tables to the user";
const signIn =
  "the server refuses the user or the password: check both, and that the user may sign in from this machine";
const again = "the connection was interrupted: run the command again, what was applied stays";
const late = "no answer in time: check host and port, and whether a firewall is between";

/** By the number of MySQL's and MariaDB's errors. */
const mysqlReasons: Readonly<Record<number, string>> = {
  1040: "the server takes no more connections: try again later",
  1044: `the user may not use this database: check its name, and ${grant}`,
  1045: signIn,
  1049: "the server has no database of this name: check the name",
  1130: "the server takes no connection from this machine: make a user who may sign in from here",
  1142: `the user may not read a table: ${grant}`,
  1143: `the user may not read a column: ${grant}`,
  1146: "a table is missing: is it the right database?",
  1698: signIn,
};

/** By PostgreSQL's SQLSTATE. */
const postgresReasons: Readonly<Record<string, string>> = {
  "28000": signIn,
  "28P01": signIn,
  "3D000": "the server has no database of this name: check the name",
  "42501": `the user may not read a table: ${grant}`,
  "42P01": "a table is missing: is it the right database?",
  "53300": "the server takes no more connections: try again later",
  "57P01": again,
  "57P03": "the server is starting or stopping: try again later",
};

const noTls =
  "the server offers no TLS, or refuses it: if the network between is your own, add ?sslmode=disable to the address";

/** By codes of Bun's drivers, after `ERR_MYSQL_` or `ERR_POSTGRES_`. */
const driverReasons: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: signIn,
  CONNECTION_REFUSED: "nothing listens there: check host and port, and whether the server runs",
  CONNECTION_FAILED: "no database server of this kind answers there: check host and port",
  CONNECTION_TIMEOUT: late,
  CONNECTION_CLOSED: again,
  IDLE_TIMEOUT: again,
  LIFETIME_TIMEOUT: again,
  TLS_NOT_AVAILABLE: noTls,
  UNSUPPORTED_AUTH_PLUGIN:
    "the server asks for a way to sign in that is not known here: give the user mysql_native_password or caching_sha2_password",
};

/**
 * An error of a server's driver. Expected failures stay as they are. Its cause has codes alone: a server's
 * words name the user, and may quote a cell.
 */
export function serverFault(address: ServerAddress, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = new Error(`${address.engine}: ${codeOf(error) ?? "no code"} ${numberOf(error)}`);
  return new PlainError("invalid", `${describeSource(address)}: ${serverReason(address, error)}`, { cause });
}

function serverReason({ engine, tls }: ServerAddress, error: unknown): string {
  const code = codeOf(error) ?? "";
  const number = numberOf(error);
  const known = engine === "mysql" ? mysqlReasons[Number(number)] : postgresReasons[number];
  // MariaDB answers the same where it takes no connection without TLS.
  if (known === signIn && tls === "disable")
    return `${signIn}; a server that wants TLS needs ?sslmode=require`;
  return (
    known ?? driverReason(code, engine === "mysql" && tls !== "disable") ?? otherReason(error, number || code)
  );
}

/** MySQL's number, or PostgreSQL's SQLSTATE; empty where the driver failed. */
function numberOf(error: unknown): string {
  const number = error instanceof Error && "errno" in error ? error.errno : null;
  return typeof number === "number" || typeof number === "string" ? `${number}` : "";
}

function driverReason(code: string, isMysqlWithTls: boolean): string | undefined {
  if (/CERT|SELF_SIGNED|ALTNAME|ISSUER/.test(code))
    return `its certificate cannot be checked (${code}): name the authority with ?sslmode=verify-full&sslrootcert=FILE, or do not check it with ?sslmode=require`;
  const name = code.replace(/^ERR_(?:MYSQL|POSTGRES)_/, "");
  // A server without TLS ends the sign-in before it began.
  return isMysqlWithTls && name === "AUTHENTICATION_FAILED" ? noTls : driverReasons[name];
}

function otherReason(error: unknown, code: string): string {
  return networkReason(error) ?? `it cannot be read (${code === "" ? "unknown error" : `error ${code}`})`;
}

/** An error of SQLite or of the system about a file. Expected failures stay as they are. */
export function fileFault(path: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = codeOf(error) ?? "";
  const reason = fileReason(code);
  return reason === null
    ? error
    : new PlainError(code === "ENOENT" ? "not_found" : "invalid", `${path}: ${reason}`, { cause: error });
}

function fileReason(code: string): string | null {
  if (code === "SQLITE_NOTADB") return "it is no SQLite database, or an encrypted one";
  if (code.startsWith("SQLITE_CORRUPT")) return "the database is damaged: take the last good copy";
  if (code.startsWith("SQLITE_BUSY"))
    return "another program keeps it locked: stop that program, or copy the file and its -wal after it has ended";
  if (code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_READONLY"))
    return "it cannot be opened: check that the file is there and readable, and copy it with its -wal into a folder that you may write to";
  if (code.startsWith("SQLITE_")) return `it cannot be read (${code})`;
  return systemReasons[code] ?? null;
}
