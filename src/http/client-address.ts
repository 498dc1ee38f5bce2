import {
  formatIpAddress,
  isInNetwork,
  parseIpAddress,
  type IpAddress,
  type IpNetwork,
} from "../kernel/ip-address.ts";

/** Whose request it is: an IP address in its one spelling. `socketAddress` is who is at the other end of the connection. */
export type ClientAddress = (request: Request, socketAddress: string | null) => string;

/** Longer chains of proxies are somebody's game. */
const hopsMax = 32;

/**
 * Finds clients behind proxies. `X-Forwarded-For` is believed only as far as trusted proxies wrote it: each appends whom it
 * was asked by, so it is read from its end, up to the first address that is not a proxy's. What stands before that, or
 * before what is no address, anybody may have made up. Whoever has no address came over a socket file: with
 * `trustsNameless` that is a proxy, for the file's mode lets nobody else in.
 */
export function createClientAddress(
  trustedProxies: readonly IpNetwork[],
  { trustsNameless = false } = {},
): ClientAddress {
  const isTrusted = (address: IpAddress) => trustedProxies.some((network) => isInNetwork(address, network));

  return (request, socketAddress) => {
    let client = parseIpAddress(socketAddress ?? "");
    const isProxy = client === null ? trustsNameless : isTrusted(client);
    for (const hop of isProxy ? hopsOf(request) : []) {
      const address = parseHop(hop);
      if (address === null) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client === null ? "unknown" : formatIpAddress(client);
  };
}

/** The nearest hop first. */
function hopsOf(request: Request): readonly string[] {
  const header = request.headers.get("x-forwarded-for") ?? "";
  return header.split(",").slice(-hopsMax).toReversed();
}

/** Some proxies write the client's port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(text: string): IpAddress | null {
  const hop = text.trim();
  const [, bare = hop] = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(hop) ?? /^([0-9.]+):[0-9]+$/.exec(hop) ?? [];
  return parseIpAddress(bare);
}
