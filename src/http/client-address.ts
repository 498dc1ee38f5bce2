import {
  formatIpAddress,
  isInNetwork,
  parseIpAddress,
  parseIpNetwork,
  type IpAddress,
  type IpNetwork,
} from "../kernel/ip-address.ts";

/** The client's IP address in its canonical spelling. `socketAddress` is the other end of the connection. */
export type ClientAddress = (request: Request, socketAddress: string | null) => string;

type Options = {
  readonly trustsNameless?: boolean;
  /** Called once when a proxy seems to run on this machine and is not trusted. */
  readonly onUntrustedProxy?: () => void;
};

/**
 * Real chains of proxies are shorter. The characters are those of as many of the longest addresses, with
 * ports and blanks.
 */
const hopsMax = 32;
const hopsLengthMax = 2048;

/**
 * Finds clients behind proxies. `X-Forwarded-For` is believed only as far as trusted proxies wrote it: each
 * appends the address of its own client, so it is read from its end, up to the first address that is not a
 * proxy's. Everything before that, or before a part that is no address, may be made up. A connection without
 * an address came over a socket file: with `trustsNameless` it is a proxy's, because the file's mode admits
 * no other program.
 */
export function createClientAddress(
  trustedProxies: readonly IpNetwork[],
  { trustsNameless = false, onUntrustedProxy = () => {} }: Options = {},
): ClientAddress {
  const isTrusted = (address: IpAddress) => trustedProxies.some((network) => isInNetwork(address, network));
  let isReported = false;
  const reportProxy = (request: Request, peer: IpAddress | null): void => {
    if (isReported || peer === null || !isLoopback(peer) || !request.headers.has("x-forwarded-for")) return;
    isReported = true;
    onUntrustedProxy();
  };

  return (request, socketAddress) => {
    let client = parseIpAddress(socketAddress ?? "");
    const isProxy = client === null ? trustsNameless : isTrusted(client);
    if (!isProxy) reportProxy(request, client);
    for (const hop of isProxy ? hopsOf(request) : []) {
      const address = parseHop(hop);
      if (address === null) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client === null ? "unknown" : formatIpAddress(client);
  };
}

function isLoopback(address: IpAddress): boolean {
  return loopback.some((network) => network !== null && isInNetwork(address, network));
}

const loopback = [parseIpNetwork("127.0.0.0/8"), parseIpNetwork("::1")];

/** The nearest hop first. */
function hopsOf(request: Request): readonly string[] {
  const header = request.headers.get("x-forwarded-for") ?? "";
  return header.slice(-hopsLengthMax).split(",").slice(-hopsMax).toReversed();
}

/** Some proxies write the client's port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(text: string): IpAddress | null {
  const hop = text.trim();
  const [, bare = hop] = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(hop) ?? /^([0-9.]+):[0-9]+$/.exec(hop) ?? [];
  return parseIpAddress(bare);
}
