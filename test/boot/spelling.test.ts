/** Variables that were probably meant to be settings. */
import { expect, test } from "bun:test";
import { findMisspelt } from "../../src/boot/config/spelling.ts";

const settings = ["TRUSTED_PROXIES", "PUBLIC_URL", "PORT"];

test.each([
  ["PUBLIC_UR", "a letter less"],
  ["PUBLIC_URLS", "a letter more"],
  ["PUBLIK_URL", "a letter changed"],
  ["PUBILC_URL", "two neighbours swapped"],
  ["UPBLIC_URL", "the first two swapped"],
  ["PUBLIC_URRL", "a letter twice"],
  ["public_url", "in lower case"],
])("%s (%s) is PUBLIC_URL", (name) => {
  expect(findMisspelt([name], settings, () => false)).toEqual([{ name, setting: "PUBLIC_URL" }]);
});

test("one of a plural is the plural", () => {
  const found = [{ name: "TRUSTED_PROXY", setting: "TRUSTED_PROXIES" }];
  expect(findMisspelt(["TRUSTED_PROXY"], settings, () => false)).toEqual(found);
});

test.each(["PUBLIC_URLXY", "PUBLIC", "PUILBC_URL", "BUPLIK_URL", "PORTS", "PUBLIC_URL", ""])(
  "%j is not a setting with one mistake",
  (name) => expect(findMisspelt([name], settings, () => false)).toEqual([]),
);
