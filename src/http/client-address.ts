import { BoundedMap } from "../kernel/bounded-map.ts";
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

/** Peers that are known, some 100 kB of them. To read and to spell an address takes 2 µs. */
const peersMax = 1000;

type Peer = {
  readonly client: IpAddress | null;
  readonly spelled: string;
  readonly isProxy: boolean;
  readonly isLoopback: boolean;
};

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
  const reportProxy = (request: Request, peer: Peer): void => {
    if (isReported || !peer.isLoopback || !request.headers.has("x-forwarded-for")) return;
    isReported = true;
    onUntrustedProxy();
  };

  const peers = new BoundedMap<string, Peer>(peersMax);
  const peerAt = (socketAddress: string): Peer => {
    const known = peers.get(socketAddress);
    if (known !== undefined) return known;
    const client = parseIpAddress(socketAddress);
    const isProxy = client === null ? trustsNameless : isTrusted(client);
    const peer = { client, spelled: spell(client), isProxy, isLoopback: isLoopback(client) };
    peers.set(socketAddress, peer);
    return peer;
  };

  return (request, socketAddress) => {
    const peer = peerAt(socketAddress ?? "");
    if (!peer.isProxy) {
      reportProxy(request, peer);
      return peer.spelled;
    }
    let { client } = peer;
    for (const hop of hopsOf(request)) {
      const address = parseHop(hop);
      if (address === null) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return spell(client);
  };
}

function spell(client: IpAddress | null): string {
  return client === null ? "unknown" : formatIpAddress(client);
}

function isLoopback(address: IpAddress | null): boolean {
  return address !== null && loopback.some((network) => network !== null && isInNetwork(address, network));
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
