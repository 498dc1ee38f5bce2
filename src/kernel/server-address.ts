/**
 * Parts of a database server's address. What is wrong with one is thrown as `invalid`, with a rule that shows
 * nothing of the address.
 */
import { PlainError } from "./errors.ts";

/** A server. A host that begins with a slash is its Unix socket, or the folder of PostgreSQL's. */
export type ServerHost = { readonly host: string; readonly port: number };

const parameterNames = ["sslmode", "sslrootcert", "host"] as const;

/** The parameters behind the question mark: libpq's `sslmode`, `sslrootcert` and `host`, no others. */
export function serverParameters(query: string): ReadonlyMap<string, string> {
  const known: readonly string[] = parameterNames;
  const found = new Map<string, string>();
  for (const pair of query.split("&").filter((one) => one !== "")) {
    const [name = "", ...value] = pair.split("=");
    if (!known.includes(name)) refuse(`must have no parameters but ${known.join(", ")}`);
    found.set(name, decodedPart(value.join("=")));
  }
  return found;
}

/** One host with its port, as `db1:5432`, `[::1]` or `/run/postgresql`; null where it is none. */
export function parseServerHost(text: string, usualPort: number): ServerHost | null {
  const [isHost, inBrackets, plain = "", portText] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|(\/[^,:]*|[A-Za-z0-9._-]{1,253}))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = portText === undefined ? usualPort : Number(portText);
  return isHost === undefined || port < 1 || port > 65_535 ? null : { host: inBrackets ?? plain, port };
}

/** The host and the port for people: an IPv6 address stands in brackets. */
export function serverHostText({ host, port }: ServerHost): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A user, password or name, in which signs may be written as `%40`. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse("must have a % in it written as %25");
  }
}

function refuse(rule: string): never {
  throw new PlainError("invalid", rule);
}
