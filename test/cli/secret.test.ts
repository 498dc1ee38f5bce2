import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { dataFolder, serveDataFolder } from "../../src/boot/data-folder.ts";
import { run, temporaryFolder } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await temporaryFolder();
  environment = { DATA_DIR: join(folder.path, "data") };
  await run(["user", "create", "--mail", "anna@example.org", "--username", "Anna"], { environment });
  await run(["secret", "rotate"], { environment });
});
afterAll(() => folder[Symbol.asyncDispose]());

const secretFile = () => readFile(join(folder.path, "data", "secrets", "jwt-secret"), "utf8");

test("secret rotate makes another secret for the data folder, and the audit says so", async () => {
  expect(await run(["secret", "rotate"], { environment })).toEqual({
    code: 0,
    out: "the next start of the server uses the new secret\n",
    error: "",
  });
  const first = await secretFile();
  expect(first).toMatch(/^[\w-]{64}\n$/);
  expect(await run(["secret", "rotate", "--json"], { environment })).toMatchObject({ code: 0, error: "" });
  expect(await secretFile()).not.toBe(first);
  const { out } = await run(["audit", "export"], { environment });
  expect(out.trim().split("\n").at(-1)).toContain('"action":"secret.rotate"');
});

test("secret rotate is refused where JWT_SECRET is a setting", async () => {
  const before = await secretFile();
  const settings = { ...environment, JWT_SECRET: "correct horse battery staple, twice" };
  const { code, error } = await run(["secret", "rotate"], { environment: settings });
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("JWT_SECRET is a setting") });
  expect(await secretFile()).toBe(before);
});

test("secret rotate is refused while a server runs", async () => {
  const before = await secretFile();
  using _serving = await serveDataFolder(dataFolder(join(folder.path, "data")));
  const { code, error } = await run(["secret", "rotate"], { environment });
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("another server is using it") });
  expect(await secretFile()).toBe(before);
});

test.each([
  ["that is too short", "short", "the new secret must have at least 32 characters"],
  ["that is the one in force", "correct horse battery staple, twice", "the new secret is the one in force"],
])(
  "with DATABASE_URL secret rotate refuses a secret %s, before it asks the database",
  async (_, secret, words) => {
    const settings = {
      ...environment,
      DATABASE_URL: "postgres://cloak@127.0.0.1:1/skins",
      JWT_SECRET: "correct horse battery staple, twice",
    };
    expect(await run(["secret", "rotate"], { environment: settings, secret })).toEqual({
      code: 1,
      out: "",
      error: `cloakroom: ${words}\n`,
    });
  },
);

test("nodes are those of DATABASE_URL", async () => {
  expect(await run(["nodes"], { environment })).toEqual({
    code: 1,
    out: "",
    error: "cloakroom: DATABASE_URL is not set: a community in a data folder has one server\n",
  });
});
