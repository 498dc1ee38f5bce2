import { lookup } from "node:dns/promises";
import {
  isInNetwork,
  parseIpAddress,
  parseIpNetwork,
  type IpAddress,
  type IpNetwork,
} from "../../kernel/ip-address.ts";

/** How far away a host is: on this machine, on its link, in a private network, or on the Internet. */
const places = ["machine", "link", "network", "internet"] as const;
export type HostPlace = (typeof places)[number];

/** Resolves to the addresses of a name; empty when it has none or the lookup fails. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Asks the system, hosts file included. */
export const resolveHost: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/** Networks that are not part of the Internet (the special-purpose registries of RFC 6890), the nearest first. */
const nearNetworks: readonly (readonly [HostPlace, readonly IpNetwork[]])[] = [
  // The unspecified address reaches this machine; multicast and reserved ranges hold no host.
  ["machine", networks("127.0.0.0/8", "0.0.0.0/8", "::/96", "224.0.0.0/3", "ff00::/8")],
  ["link", networks("169.254.0.0/16", "fe80::/10")],
  ["network", networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")],
  // Between a provider and its customers, and within laboratories.
  ["network", networks("100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15")],
];

/** IPv6 networks that embed an IPv4 address, and by how many bits it is shifted (RFC 6052 2.1, RFC 3056 2). */
const carriers = [
  { network: networks("64:ff9b::/96")[0], shift: 0n },
  { network: networks("2002::/16")[0], shift: 80n },
] as const;

/**
 * How far away a host of a URL is: a name, IPv4, or IPv6 in brackets. A name is as near as the nearest of its addresses; without
 * any it counts as the Internet.
 */
export async function placeOfHost(hostname: string, resolve: Resolve): Promise<HostPlace> {
  const name = hostname.replaceAll(/^\[|\]$/g, "").replace(/\.+$/, "");
  // Never looked up (RFC 6761 6.3).
  if (/(?:^|\.)localhost$/i.test(name)) return "machine";
  const literal = parseIpAddress(name);
  const addresses = literal === null ? (await resolve(name)).map(parseIpAddress) : [literal];
  const found = new Set(addresses.filter((address) => address !== null).map(placeOfAddress));
  return places.find((place) => found.has(place)) ?? "internet";
}

/** True when the first is nearer to us than the second. */
export function isNearer(one: HostPlace, other: HostPlace): boolean {
  return places.indexOf(one) < places.indexOf(other);
}

function placeOfAddress(address: IpAddress): HostPlace {
  const carrier = carriers.find(({ network }) => network !== undefined && isInNetwork(address, network));
  const meant = carrier === undefined ? address : carriedBy(address, carrier.shift);
  const near = nearNetworks.find(([, some]) => some.some((network) => isInNetwork(meant, network)));
  return near?.[0] ?? "internet";
}

function carriedBy(address: bigint, shift: bigint): IpAddress {
  return (((address >> shift) & 0xffff_ffffn) | (0xffffn << 32n)) as IpAddress; // 32 bits in IPv6's mapped range
}

function networks(...texts: readonly string[]): readonly IpNetwork[] {
  return texts.flatMap((text) => parseIpNetwork(text) ?? []);
}
