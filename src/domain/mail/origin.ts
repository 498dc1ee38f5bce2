import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import type { Origin } from "../model/mail.ts";

/** Bits of an address that mails show. IPv4 counts as its mapped range, of 96 bits. */
const ipv4Bits = 24;
const ipv6Bits = 64;

/**
 * When something was asked for, and from which network, as mails say it. The network is the first 24 bits of an IPv4 and the
 * first 64 of an IPv6 address. That is enough to recognise one's own, and it names no machine: the mail may go to a mistyped
 * address, whose owner must not learn a player's. `at` is in Unix seconds.
 */
export function originOf(address: string, at: number): Origin {
  const [day = "", clock = ""] = new Date(at * 1000).toISOString().split("T");
  return { time: `${day} ${clock.slice(0, 5)} UTC`, network: networkText(address) };
}

function networkText(address: string): string {
  const parsed = parseIpAddress(address);
  if (parsed === null) return "?";
  const [bits, prefix] = isMappedIpv4(parsed) ? [ipv4Bits, 96 + ipv4Bits] : [ipv6Bits, ipv6Bits];
  return `${formatIpAddress(networkOf(parsed, prefix))}/${bits}`;
}
