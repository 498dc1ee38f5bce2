import { isIPv4, isIPv6 } from "node:net";

/**
 * An IP address of either family as one number. IPv4 uses IPv6's mapped range, `::ffff:0:0/96` (RFC 4291
 * 2.5.5.2).
 */
export type IpAddress = bigint & { readonly kind: "IpAddress" };

const mappedRange = 0xffffn << 32n;

/** Whether the text is an address, without brackets. It may have an IPv6 zone. */
export function isIpAddress(text: string): boolean {
  return parseIpAddress(text) !== null;
}

/** Parses an address in any spelling and ignores an IPv6 zone (`%eth0`); null for anything else. */
export function parseIpAddress(text: string): IpAddress | null {
  const [bare = ""] = text.split("%", 1);
  if (isIPv4(bare)) return (mappedRange | fromGroups(bare.split("."), 8n)) as IpAddress; // made here
  return isIPv6(bare) ? (parseIpv6(bare) as IpAddress) : null; // made here
}

/**
 * Formats an address: IPv4 with dots, IPv6 as hexadecimal groups, the longest run of zeros as `::` (RFC
 * 5952).
 */
export function formatIpAddress(address: IpAddress): string {
  if (isMappedIpv4(address)) return groupsOf(address, 4, 8n).join(".");
  const groups = groupsOf(address, 8, 16n).map((group) => group.toString(16));
  // URL places the `::`.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** True for an IPv4 address, in whatever spelling it came. */
export function isMappedIpv4(address: IpAddress): boolean {
  return address >> 32n === 0xffffn;
}

/**
 * True for a host that names only this machine, with or without an IPv6 address's brackets. Names are not
 * looked up.
 */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/**
 * A network: its first address, and how many leading bits its addresses share (for IPv4, those of the mapped
 * range).
 */
export type IpNetwork = { readonly first: IpAddress; readonly prefix: number };

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address; null for anything else. Bits beyond the prefix are
 * ignored.
 */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [base = "", length, ...rest] = text.split("/");
  const address = parseIpAddress(base);
  if (address === null || rest.length > 0) return null;
  const shared = isIPv4(base) ? 96 : 0;
  const prefix = length === undefined ? 128 : shared + (/^[0-9]{1,3}$/.test(length) ? Number(length) : 129);
  return prefix > 128 ? null : { first: networkOf(address, prefix), prefix };
}

/** True when the network contains the address. */
export function isInNetwork(address: IpAddress, { first, prefix }: IpNetwork): boolean {
  return networkOf(address, prefix) === first;
}

/** The first address of the network with this prefix (0 to 128 bits) that contains the address. */
export function networkOf(address: IpAddress, prefix: number): IpAddress {
  const hostBits = BigInt(128 - prefix);
  return ((address >> hostBits) << hostBits) as IpAddress; // an address with bits cleared is one
}

function parseIpv6(text: string): bigint {
  const [head = "", tail] = withoutDots(text).split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return fromGroups(
    [...first, ...zeros, ...last].map((group) => `0x${group}`),
    16n,
  );
}

/** `::ffff:192.0.2.1` → `::ffff:c000:0201`. */
function withoutDots(text: string): string {
  const [dotted] = /[0-9]+\.[0-9.]+$/.exec(text) ?? [];
  if (dotted === undefined) return text;
  const bits = fromGroups(dotted.split("."), 8n);
  return `${text.slice(0, -dotted.length)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function fromGroups(groups: readonly string[], bits: bigint): bigint {
  return groups.reduce((number, group) => (number << bits) | BigInt(group), 0n);
}

function groupsOf(address: bigint, count: number, bits: bigint): readonly bigint[] {
  return Array.from(
    { length: count },
    (_, at) => (address >> (bits * BigInt(count - 1 - at))) & ((1n << bits) - 1n),
  );
}
