/** The fields of the set-up page take what a start takes (docs/guide/console.md#the-first-administrator). */
import { expect, test } from "bun:test";
import { baseUrl, communityName } from "../../src/boot/config/kinds.ts";
import { isCommunityName, publicAddressOf } from "../../src/web/pages/setup/rules.ts";

const here = { host: "192.168.1.20:3000", protocol: "http:" };

function isTaken(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

test.each([
  "The Builders",
  "---",
  " ",
  "🏰",
  "4",
  "社区",
  "a\u2028b",
  "a\u0007b",
  "x".repeat(60),
  "x".repeat(61),
  "a" + "🏰".repeat(30),
])("the name %j", (name) => expect(isCommunityName(name)).toBe(isTaken(() => communityName.parse(name))));

test.each<[string, string | null]>([
  ["skins.example.org", "https://skins.example.org"],
  [" skins.example.org:8443/a ", "https://skins.example.org:8443/a"],
  ["http://skins.example.org", "http://skins.example.org"],
  ["HTTPS://skins.example.org/", "HTTPS://skins.example.org/"],
  ["192.168.1.20:3000", "http://192.168.1.20:3000"],
  ["[2001:db8::1]:3000", "https://[2001:db8::1]:3000"],
  ["ftp://skins.example.org", null],
  ["https:skins.example.org", null],
  ["https://", null],
  ["https:///", null],
  ["anna@skins.example.org", null],
  ["skins.example.org?a", null],
  ["skins.example.org/#a", null],
  ["skins example", null],
  ["a:b:c", null],
])("the address %j", (typed, address) => {
  expect(publicAddressOf(typed, here)).toBe(address);
  if (address !== null) expect(isTaken(() => baseUrl.parse(address))).toBe(true);
});
