import { formatIpAddress, isMappedIpv4, networkOf, parseIpAddress } from "../../kernel/ip-address.ts";
import { minuteText } from "../../kernel/instant.ts";
import type { Origin } from "../model/mail.ts";

/** How many bits of an address mails show. */
const ipv4Bits = 24;
const ipv6Bits = 64;

/**
 * When a request was made, and from which network, as texts for mails. The network is the first 24 bits of an
 * IPv4 address or the first 64 of an IPv6 address: enough to recognise one's own, but not a single machine,
 * because the mail may go to a mistyped address, whose owner must not learn a player's address. `at` is in
 * Unix seconds.
 */
export function originOf(address: string, at: number): Origin {
  return { time: minuteText(at), network: networkText(address) };
}

function networkText(address: string): string {
  const parsed = parseIpAddress(address);
  if (parsed === null) return "?";
  const [bits, prefix] = isMappedIpv4(parsed) ? [ipv4Bits, 96 + ipv4Bits] : [ipv6Bits, ipv6Bits];
  return `${formatIpAddress(networkOf(parsed, prefix))}/${bits}`;
}
