/** Where a sign-in leads (docs/contract/console.md): the page's own rule, which the server's agrees with. */
import { expect, test } from "bun:test";
import { readOwnPath } from "../../src/http/own-path.ts";
import { nextPath } from "../../src/web/shell/next.ts";

test.each([
  "/home",
  "/",
  "/admin/users?q=a%20b&after=7",
  "/u/%D0%90",
  "/a/../home",
  "/u/a//b",
  "/login?next=//x",
])("%j is a path of ours", (path) => {
  expect(nextPath(path)).toBe(path);
  expect(readOwnPath(path)).not.toBeNull();
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/home\\..\\..\\evil",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/%2e//evil.example",
  "/a/..//evil.example",
  "/home/..//evil.example/%2f..",
  "javascript:alert(1)",
  "data:text/html,x",
  "home",
  "",
  "\u2028//evil.example",
])("%j is dropped", (path) => {
  expect(nextPath(path)).toBe("/home");
});

test("nothing asked for is the wardrobe", () => {
  expect(nextPath(undefined)).toBe("/home");
});
