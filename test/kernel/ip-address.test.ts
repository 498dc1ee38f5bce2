/** What counts as an address is what `node:net` takes for one, which the program does not load. */
import { expect, test } from "bun:test";
import { isIP } from "node:net";
import * as fc from "fast-check";
import { isIpAddress } from "../../src/kernel/ip-address.ts";

const byte = fc.oneof(fc.nat(300).map(String), fc.constantFrom("", "0", "00", "01", "255", "256", "1a"));
const word = fc.oneof(
  fc.nat(0xffff).map((number) => number.toString(16)),
  fc.constantFrom("", "0", "FFFF", "12345", "g", "1.2.3.4", "01.2.3.4"),
);
const text = fc.oneof(
  fc.array(byte, { minLength: 3, maxLength: 5 }).map((parts) => parts.join(".")),
  fc.array(word, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(":")),
  fc
    .array(fc.constantFrom("0", "1", "f", ":", "::", ".", "1.2.3.4", "%", "\n", " "), { maxLength: 12 })
    .map((parts) => parts.join("")),
);

test("an address is what Node takes for one", () => {
  fc.assert(
    fc.property(text, (given) => {
      // A zone is cut off, whatever it is.
      const [bare = ""] = given.split("%", 1);
      expect(isIpAddress(given)).toBe(isIP(bare) !== 0);
    }),
    { numRuns: 20_000 },
  );
});

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
])("%j is none", (given) => expect(isIpAddress(given)).toBe(false));
