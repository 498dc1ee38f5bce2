/**
 * The address of a PostgreSQL database, as settings give it. Loads nothing of the driver: every start reads
 * it.
 */
import { resolve } from "node:path";
import { PlainError } from "../../../kernel/errors.ts";
import { isLoopbackHost } from "../../../kernel/ip-address.ts";
import {
  decodedPart,
  parseServerHost,
  serverHostText,
  serverParameters,
  type ServerHost,
} from "../../../kernel/server-address.ts";

/** How the connection is protected, in libpq's words. `require` encrypts without checking who answers. */
export type TlsMode = (typeof tlsModes)[number];

/** Where a database is. */
export type PostgresAddress = {
  /**
   * All are asked. The one that takes writes is used; of several the one that was promoted last, else the
   * first (`primary.ts`).
   */
  readonly hosts: readonly ServerHost[];
  readonly database: string;
  readonly user: string;
  /** Null without one. A function, so that an address that is printed or logged does not show it. */
  readonly password: () => string | null;
  readonly tls: TlsMode;
  /** The certificates that are trusted (PEM), as an absolute path; null: the system's. */
  readonly caFile: string | null;
};

const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const;
const usualPort = 5432;
/** More servers than a cluster has. */
const hostsMax = 16;

const form = "must be an address like postgres://user:password@host:5432/name?sslmode=verify-full";
// User, password, hosts, name and parameters: `URL` takes no list of hosts.
const parts =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#\s]*)(?::([^@/?#\s]*))?@)?([^/?#@\s]*)\/([^/?#\s]*)(?:\?([^#\s]*))?$/;

/**
 * Reads `postgres://user:password@host[:port][,host[:port]…]/name?sslmode=…&sslrootcert=FILE`, or with
 * `host=/folder` for a Unix socket. Without sslmode the certificates of other machines are checked in full.
 * Throws `invalid` with a rule that shows nothing of the address.
 */
export function parseAddress(text: string): PostgresAddress {
  const [isWhole, user = "", password = "", hostList = "", name = "", query = ""] = parts.exec(text) ?? [];
  if (isWhole === undefined) refuse(form);
  if (user === "" || name === "") refuse(`${form}: with a user and a database`);
  const parameters = serverParameters(query);
  const hosts = hostsOf(parameters.get("host") ?? hostList);
  const secret = password === "" ? null : decodedPart(password);
  const caFile = parameters.get("sslrootcert");
  return Object.freeze({
    hosts,
    database: decodedPart(name),
    user: decodedPart(user),
    password: () => secret,
    tls: tlsOf(parameters.get("sslmode"), hosts.every(isOnThisMachine)),
    caFile: caFile === undefined ? null : resolve(caFile),
  });
}

/** The address for people, without user and password: `db1:5432,db2:5432/cloakroom`. */
export function describeAddress({ hosts, database }: PostgresAddress): string {
  return `${hosts.map(serverHostText).join(",")}/${database}`;
}

function hostsOf(list: string): readonly ServerHost[] {
  const hosts = list
    .split(",")
    .map((one) => parseServerHost(one, usualPort) ?? refuse(`${form}: each host with its own port`));
  if (hosts.length > hostsMax) refuse(`must name at most ${hostsMax} hosts`);
  return Object.freeze(hosts);
}

function tlsOf(given: string | undefined, isLocal: boolean): TlsMode {
  const wanted = given ?? (isLocal ? "disable" : "verify-full");
  const mode = tlsModes.find((one) => one === wanted);
  if (mode === undefined) return refuse(`must have an sslmode of ${tlsModes.join(", ")}`);
  return mode !== "disable" || isLocal
    ? mode
    : refuse("must have sslmode=verify-full: without TLS others could read along between two machines");
}

function isOnThisMachine({ host }: ServerHost): boolean {
  return host.startsWith("/") || isLoopbackHost(host);
}

function refuse(rule: string): never {
  throw new PlainError("invalid", rule);
}
