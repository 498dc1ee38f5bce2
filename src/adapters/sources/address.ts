/** Where the database of another system is, as `--dsn` gives it. */
import { resolve } from "node:path";
import { PlainError } from "../../kernel/errors.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import {
  decodedPart,
  parseServerHost,
  serverHostText,
  serverParameters,
  type ServerHost,
} from "../../kernel/server-address.ts";

/** A file of SQLite, or a database of a server. */
export type SourceAddress = SqliteAddress | ServerAddress;

export type SqliteAddress = { readonly engine: "sqlite"; readonly path: string };

export type ServerAddress = ServerHost & {
  readonly engine: "mysql" | "postgres";
  readonly database: string;
  readonly user: string;
  /** Null without one. A function, so that an address that is printed or logged does not show it. */
  readonly password: () => string | null;
  /** `require` encrypts without checking who answers. */
  readonly tls: TlsMode;
  /** The certificates that are trusted (PEM), as an absolute path; null: the system's. */
  readonly caFile: string | null;
};

type TlsMode = (typeof tlsModes)[number];

const tlsModes = ["disable", "require", "verify-full"] as const;

const forms =
  "must be an address like mysql://user:password@host:3306/name, postgres://user:password@host:5432/name or sqlite:///folder/file.db";
const inPercent = "with signs such as @ : / ? # % in the user or password written as %40 %3A %2F %3F %23 %25";
// User, password, host, name and parameters.
const parts =
  /^(mysql|mariadb|postgres|postgresql):\/\/(?:([^:@/?#\s]*)(?::([^@/?#\s]*))?@)?([^/?#@\s]*)\/([^/?#\s]*)(?:\?([^#\s]*))?$/;

/**
 * Reads the address of a source. Without sslmode the certificates of other machines are checked in full.
 * Throws `invalid` with a rule that shows nothing of the address.
 */
export function parseSourceAddress(text: string): SourceAddress {
  const file = /^sqlite:\/\/(\/[^?#\0]+)$/.exec(text)?.[1];
  if (file !== undefined) return { engine: "sqlite", path: decodedPart(file) };
  const found = parts.exec(text);
  if (found === null) return refuse(`${forms}, ${inPercent}`);
  const [scheme = "", user = "", password = "", host = "", name = "", query = ""] = found.slice(1);
  if (user === "" || name === "") refuse(`${forms}: with a user and a database`);
  return serverAddress(scheme, { user, password, host, name, query });
}

type AddressParts = {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly name: string;
  readonly query: string;
};

function serverAddress(
  scheme: string,
  { user, password, host: given, name, query }: AddressParts,
): ServerAddress {
  const engine = scheme.startsWith("postgres") ? "postgres" : "mysql";
  const parameters = serverParameters(query);
  const { host, port } =
    parseServerHost(parameters.get("host") ?? given, engine === "mysql" ? 3306 : 5432) ??
    refuse(`${forms}: with one host`);
  const secret = password === "" ? null : decodedPart(password);
  const caFile = parameters.get("sslrootcert");
  return Object.freeze({
    engine,
    host,
    port,
    database: decodedPart(name),
    user: decodedPart(user),
    password: () => secret,
    tls: tlsOf(parameters.get("sslmode"), host.startsWith("/") || isLoopbackHost(host)),
    caFile: caFile === undefined ? null : resolve(caFile),
  });
}

/** The address for people, without user and password: `127.0.0.1:3306/blessing`, or a file's path. */
export function describeSource(address: SourceAddress): string {
  if (address.engine === "sqlite") return address.path;
  const { host, database } = address;
  return host.startsWith("/") ? `${host}, ${database}` : `${serverHostText(address)}/${database}`;
}

function tlsOf(given: string | undefined, isLocal: boolean): TlsMode {
  const wanted = given ?? (isLocal ? "disable" : "verify-full");
  return tlsModes.find((one) => one === wanted) ?? refuse(`must have an sslmode of ${tlsModes.join(", ")}`);
}

function refuse(rule: string): never {
  throw new PlainError("invalid", rule);
}
