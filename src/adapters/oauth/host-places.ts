import {
  isInNetwork,
  isMappedIpv4,
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
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/**
 * Networks that are not part of the Internet (IANA's special-purpose registries, RFC 6890, as of 2025), the
 * nearest first. IPv6 outside of `2000::/3` is not part of it either.
 */
const nearNetworks = once((): readonly (readonly [HostPlace, readonly IpNetwork[]])[] => [
  // The unspecified address reaches this machine; multicast and reserved ranges hold no host.
  ["machine", networks("127.0.0.0/8", "0.0.0.0/8", "::/96", "224.0.0.0/3", "ff00::/8")],
  ["link", networks("169.254.0.0/16", "fe80::/10")],
  ["network", networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")],
  // Between a provider and its customers, and within laboratories.
  ["network", networks("100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "2001:2::/48", "5f00::/16")],
  // Examples in documents, which a network may use for anything.
  ["network", networks("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")],
  // Identifiers that no router knows, and tunnels that have ended: relays, Teredo.
  ["network", networks("2001:10::/28", "2001:20::/28", "2001:30::/28", "192.88.99.0/24", "2001::/32")],
]);

const internet6 = once(() => parseIpNetwork("2000::/3"));
const translated = once(() => parseIpNetwork("64:ff9b::/96"));

type Carrier = {
  readonly network: IpNetwork | null;
  /** How far the IPv4 address lies from the end, in bits. */
  readonly shift: bigint;
  /** Whether its bits are inverted. */
  readonly isInverted?: boolean;
};

/**
 * IPv6 networks that embed an IPv4 address: translated (RFC 6052 2.1), also by a translator of one's own (RFC
 * 8215), 6to4 (RFC 3056 2), and Teredo's server and client (RFC 4380 4).
 */
const carriers = once((): readonly Carrier[] => [
  { network: translated(), shift: 0n },
  { network: parseIpNetwork("64:ff9b:1::/48"), shift: 0n },
  { network: parseIpNetwork("2002::/16"), shift: 80n },
  { network: parseIpNetwork("2001::/32"), shift: 64n },
  { network: parseIpNetwork("2001::/32"), shift: 0n, isInverted: true },
]);

/**
 * How far away a host of a URL is: a name, IPv4, or IPv6 in brackets. A name is as near as the nearest of its
 * addresses; without any it counts as the Internet.
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

/** An address is as near as itself and as what it embeds. */
function placeOfAddress(address: IpAddress): HostPlace {
  const carried = carriers()
    .filter(({ network }) => network !== null && isInNetwork(address, network))
    .map((carrier) => placeOfOne(carriedBy(address, carrier)));
  const found = new Set([placeOfOne(address), ...carried]);
  return places.find((place) => found.has(place)) ?? "internet";
}

function placeOfOne(address: IpAddress): HostPlace {
  const near = nearNetworks().find(([, some]) => some.some((network) => isInNetwork(address, network)));
  return near?.[0] ?? (isOfInternet(address) ? "internet" : "network");
}

function isOfInternet(address: IpAddress): boolean {
  const isIn = (network: IpNetwork | null) => network !== null && isInNetwork(address, network);
  return isMappedIpv4(address) || isIn(internet6()) || isIn(translated());
}

function carriedBy(address: bigint, { shift, isInverted = false }: Carrier): IpAddress {
  const bits = (isInverted ? ~address : address) >> shift;
  return ((bits & 0xffff_ffffn) | (0xffffn << 32n)) as IpAddress; // 32 bits in IPv6's mapped range
}

/** Made for the first host that is asked about: a start needs no network. */
function once<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | null = null;
  return () => (made ??= { it: make() }).it;
}

function networks(...texts: readonly string[]): readonly IpNetwork[] {
  return texts.flatMap((text) => parseIpNetwork(text) ?? []);
}
