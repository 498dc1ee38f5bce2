import { expect, test } from "bun:test";
import packageJson from "../../package.json";
import { run } from "./run-program.ts";

test("prints version, commit, Bun version and platform", async () => {
  const { code, out } = await run(["version", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    version: packageJson.version,
    commit: expect.stringMatching(/^(unknown|[0-9a-f]{12,})$/),
    bun: Bun.version,
    platform: `${process.platform}-${process.arch}`,
  });
});

test("prints the same as text", async () => {
  expect((await run(["version"])).out).toStartWith(`version:  ${packageJson.version}\ncommit:   `);
});

test("--version is short for the version alone", async () => {
  expect((await run(["--version"])).out).toBe(`cloakroom ${packageJson.version}\n`);
});
