import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readManifest } from "../../tools/bundle.ts";
import { allows, licenceFaults } from "../../tools/licences.ts";

const allowed = new Set(["MIT", "Zlib"]);

test.each([
  ["MIT", true],
  ["(MIT AND Zlib)", true],
  ["(GPL-3.0-only OR MIT)", true],
  ["MIT AND GPL-3.0-only", false],
  ["GPL-3.0-only OR MIT AND Zlib", true],
  ["GPL-3.0-only OR MIT AND LGPL-2.1-only", false],
  ["((MIT))", false],
  ["MIT WITH Some-exception", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["none", false],
  ["mit", false],
  ["", false],
])("the expression %p is allowed: %p", (expression, expected) => {
  expect(allows(expression, allowed)).toBe(expected);
});

test("names the package, its version and its licence", () => {
  const packages = [
    { name: "fine", version: "1.0.0", licence: "MIT" },
    { name: "@their/own", version: "2.0.0", licence: "UNLICENSED" },
  ];
  expect(licenceFaults(packages, allowed, "goes into the binary")).toEqual([
    "@their/own@2.0.0 goes into the binary under UNLICENSED, which is not in the list of tools/licences.ts",
  ]);
});

test.each([
  ["the expression", { license: "MIT OR ISC" }, "MIT OR ISC"],
  ["one of the old list", { licenses: [{ type: "MIT" }, { type: "ISC" }] }, "MIT OR ISC"],
  ["nothing", {}, "none"],
  ["something else", { license: { type: "MIT" } }, "none"],
])("reads %s that a package states", async (_, stated, licence) => {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-licences-"));
  try {
    await Bun.write(join(folder, "package.json"), JSON.stringify({ name: "a", version: "1.0.0", ...stated }));
    expect(await readManifest(folder)).toEqual({ name: "a", version: "1.0.0", licence });
  } finally {
    await rm(folder, { recursive: true });
  }
});
