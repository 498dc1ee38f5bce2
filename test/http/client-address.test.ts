import { describe, expect, test } from "bun:test";
import { createClientAddress } from "../../src/http/client-address.ts";
import { parseIpNetwork, type IpNetwork } from "../../src/kernel/ip-address.ts";

function networks(...texts: readonly string[]): readonly IpNetwork[] {
  return texts.map((text) => {
    const network = parseIpNetwork(text);
    if (network === null) throw new Error(`${text} is no network`);
    return network;
  });
}

function find(proxies: readonly string[], socket: string | null, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return createClientAddress(networks(...proxies))(new Request("http://localhost/", { headers }), socket);
}

const proxy = "10.0.0.1";
const client = "203.0.113.9";

describe("without trusted proxies", () => {
  test.each([
    ["the connection's address counts", client, undefined, client],
    ["what the header claims does not", client, "198.51.100.1", client],
    ["nor from the machine itself", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["IPv4 as IPv6 is IPv4", `::ffff:${client}`, undefined, client],
    ["IPv4 as IPv6 in digits is IPv4", "::FFFF:cb00:7109", undefined, client],
    ["IPv6 has one spelling", "2001:0DB8:0:0:0:0:0:0001", undefined, "2001:db8::1"],
    ["IPv6 with dots at its end, too", "64:ff9b::192.0.2.33", undefined, "64:ff9b::c000:221"],
    ["the whole of IPv6's range is read", `${"ffff:".repeat(7)}ffff`, undefined, `${"ffff:".repeat(7)}ffff`],
    ["IPv6's zero is read", "::", undefined, "::"],
    ["groups at the end are read", "2001:db8::", undefined, "2001:db8::"],
    ["a zone is left out", "fe80::1%eth0", undefined, "fe80::1"],
    ["a connection that is gone is unknown", null, undefined, "unknown"],
    ["a socket file is unknown", "/run/cloakroom.sock", undefined, "unknown"],
  ])("%s", (_, socket, forwarded, expected) => expect(find([], socket, forwarded)).toBe(expected));
});

function reports(
  proxies: readonly string[],
  ...requests: readonly (readonly [string | null, string?])[]
): number {
  let count = 0;
  const of = createClientAddress(networks(...proxies), { onUntrustedProxy: () => void (count += 1) });
  for (const [socket, forwarded] of requests) {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    of(new Request("http://localhost/", { headers }), socket);
  }
  return count;
}

describe("a proxy on this machine that is not trusted", () => {
  test.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])(
    "is reported, from %s, and once",
    (local) => {
      expect(reports([], [local], [local, client], [local, client])).toBe(1);
      expect(reports(["10.0.0.0/8"], [local, client])).toBe(1);
    },
  );

  test("is not where it is trusted, writes nothing, or runs elsewhere", () => {
    expect(reports(["127.0.0.1"], ["127.0.0.1", client])).toBe(0);
    expect(reports([], ["127.0.0.1"], ["192.0.2.1", client], [null, client])).toBe(0);
  });
});

describe("behind a trusted proxy", () => {
  const proxies = ["10.0.0.0/8", "fd00::/8"];
  test.each([
    ["the header names the client", proxy, client, client],
    ["the header may name an IPv6", proxy, "2001:DB8::0:1", "2001:db8::1"],
    ["the proxy may be an IPv6", "fd00::1", client, client],
    ["the proxy may be an IPv4 as IPv6", `::ffff:${proxy}`, client, client],
    ["without the header it is the proxy", proxy, undefined, proxy],
    ["an empty header is none", proxy, "", proxy],
    ["blanks do not matter", proxy, `  ${client}  `, client],
    ["the last address that is no proxy's counts", proxy, `1.1.1.1, ${client}`, client],
    ["proxies behind proxies are passed over", proxy, `${client}, 10.1.1.1, fd00::2,10.2.2.2`, client],
    ["what a client claims before that does not count", proxy, `10.9.9.9, ${client}, 10.1.1.1`, client],
    ["one of the proxies' own network is the client", proxy, "10.7.7.7, 10.1.1.1", "10.7.7.7"],
    ["a port is left out", proxy, `${client}:4711`, client],
    ["a port after IPv6 is left out", proxy, "[2001:db8::1]:4711", "2001:db8::1"],
    ["brackets are left out", proxy, "[2001:db8::1]", "2001:db8::1"],
    ["an IPv4 as IPv6 is IPv4", proxy, `::ffff:${client}`, client],
    ["a word is no address, so the proxy's counts", proxy, "unknown", proxy],
    ["nothing before a word counts", proxy, `${client}, unknown, 10.1.1.1`, "10.1.1.1"],
    ["nothing before a gap counts", proxy, `${client},,10.1.1.1`, "10.1.1.1"],
    ["a number is no address", proxy, "3405803785", proxy],
    ["an octal number is none", proxy, "0313.0.0113.011", proxy],
    ["four numbers too large are none", proxy, "256.1.1.1", proxy],
    ["an address with more behind it is none", proxy, `${client} x`, proxy],
    ["a CIDR is none", proxy, `${client}/32`, proxy],
    ["markup is none", proxy, `<script>alert(1)</script>`, proxy],
    ["10 kB are none", proxy, "1".repeat(10_000), proxy],
    [
      "a chain of thousands is followed for 32",
      proxy,
      `${client},${"10.1.1.1,".repeat(2000)}10.1.1.2`,
      "10.1.1.1",
    ],
    ["another connection's header does not count", client, "198.51.100.1", client],
    ["an IPv6 connection's from elsewhere neither", "2001:db8::9", "198.51.100.1", "2001:db8::9"],
  ])("%s", (_, socket, forwarded, expected) => expect(find(proxies, socket, forwarded)).toBe(expected));
});

describe("trusted is", () => {
  test.each([
    ["one address", "10.0.0.1", "10.0.0.1", true],
    ["no neighbour of it", "10.0.0.1", "10.0.0.2", false],
    ["a network's first address", "10.0.0.0/30", "10.0.0.0", true],
    ["its last address", "10.0.0.0/30", "10.0.0.3", true],
    ["not the next one", "10.0.0.0/30", "10.0.0.4", false],
    ["a network named by any of its addresses", "10.0.0.3/30", "10.0.0.1", true],
    ["every IPv4", "0.0.0.0/0", "255.1.2.3", true],
    ["but no IPv6 with it", "0.0.0.0/0", "2001:db8::1", false],
    ["every IPv6", "::/0", "2001:db8::1", true],
    ["a /32 of IPv4", "192.0.2.1/32", "192.0.2.1", true],
    ["an IPv6 network", "2001:db8::/32", "2001:db8:ffff::1", true],
    ["no other IPv6 network", "2001:db8::/32", "2001:db9::1", false],
    ["an IPv6 network that ends within a group", "2001:db8:8000::/33", "2001:db8:ffff::", true],
    ["not its other half", "2001:db8:8000::/33", "2001:db8:7fff::", false],
    ["IPv4 written as a network of IPv6", "::ffff:10.0.0.0/104", "10.1.2.3", true],
  ])("%s", (_, network, socket, trusted) => {
    expect(find([network], socket, "198.51.100.1") === "198.51.100.1").toBe(trusted);
  });
});

test.each([
  "",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "10.0.0.0/255.0.0.0",
  "10.0.0/8",
  "::/129",
  "/8",
  "proxy.example.org",
  "10.0.0.0/8 ",
  "10.0.0.0/1e1",
])("no network is %p", (text) => expect(parseIpNetwork(text)).toBeNull());
