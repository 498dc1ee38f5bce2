/** What counts as an address. */
import { expect, test } from "bun:test";
import { isIpAddress } from "../../src/kernel/ip-address.ts";

test.each([
  "::",
  "::1",
  "1::",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "1:2:3:4:5:6:1.2.3.4",
  "::ffff:192.0.2.1",
  "fe80::1%eth0",
])("%s is one", (given) => expect(isIpAddress(given)).toBe(true));

test.each([
  "",
  ":",
  ":::",
  "1::2::3",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4:5:6:7",
  "::1.2.3",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.04",
  "::1\n",
  "1.2.3.4\n",
  "1.2.3.٤",
  "１.2.3.4",
  "::ı",
  "[::1]",
  "1.2.3.4:80",
  "0x1.2.3.4",
  "::00001",
  `${"1:".repeat(100_000)}1`,
])("%j is none", (given) => expect(isIpAddress(given)).toBe(false));
