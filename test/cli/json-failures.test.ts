/**
 * Why a command with --json failed, for programs: one line of JSON on standard error
 * (docs/contract/commands.md).
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../src/cli/commands.ts";
import { run, temporaryFolder } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, "data");
  await run(["migrate", "--data-dir", dataDir]);
  await run(["token", "create", "shop", "--data-dir", dataDir]);
  const ember = ["--mail", "ember@example.org", "--username", "Ember"];
  await run(["user", "create", ...ember, "--data-dir", dataDir]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const withJson = commands.filter(({ options }) => options["json"] !== undefined);

test.each(withJson.map(({ name }) => [name]))("%s says as JSON that its usage is wrong", async (name) => {
  const { code, out, error } = await run([...name.split(" "), "--json", "--no-such-flag"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(error).toEndWith("}}\n");
  expect(JSON.parse(error)).toEqual({
    error: { code: "usage", field: null, msg: expect.stringContaining("no-such-flag") },
  });
});

describe("a refusal", () => {
  const skin = join(import.meta.dir, "../../docs/examples/scout.png");
  const mail = ["--mail", "no address", "--username", "Ember", "--password", "seven horses"];
  test.each([
    [
      "has its code",
      ["user", "show", "nobody@example.org"],
      { code: "user_unknown", field: null },
      "No user is known as nobody@example.org",
    ],
    [
      "has its field",
      ["user", "create", ...mail],
      { code: "mail_invalid", field: "mail" },
      "mail: must be an address like name@example.org",
    ],
    [
      "of a token has its code",
      ["token", "create", "shop"],
      { code: "token_name_taken", field: "name" },
      "name: a token of this name exists already",
    ],
    [
      "about a file has its code",
      ["skin", "add", "--user", "Ember", "--file", import.meta.path],
      { code: "picture_not_png", field: null },
      `${import.meta.path}: The picture is not a PNG; save it as PNG, renaming the file is not enough`,
    ],
    [
      "about what comes with a file has its field",
      ["skin", "add", "--user", "Ember", "--file", skin, "--name", "A\u2060B"],
      { code: "texture_name_invalid", field: "name" },
      `${skin}: name: must have 1 to 64 characters on one line, without controls, and invisible ones only within emoji and joined letters`,
    ],
  ])("%s", async (_, args, coded, msg) => {
    const { code, out, error } = await run([...args, "--json", "--data-dir", dataDir]);
    expect({ code, out, error: JSON.parse(error) }).toEqual({
      code: 1,
      out: "",
      error: { error: { ...coded, msg } },
    });
  });

  test("without --json is a line of text, with the same exit code", async () => {
    const { code, error } = await run(["user", "show", "nobody@example.org", "--data-dir", dataDir]);
    expect({ code, error }).toEqual({
      code: 1,
      error: "cloakroom: No user is known as nobody@example.org\n",
    });
  });
});

test("settings that cannot be used are named in the message", async () => {
  const { code, error } = await run(["user", "list", "--json", "--port", "none", "--data-dir", dataDir]);
  const { error: said } = JSON.parse(error);
  expect({ code, said }).toMatchObject({ code: 2, said: { code: "settings", field: null } });
  expect(said.msg).toMatch(/^the settings cannot be used\n.*PORT/s);
});

test("a command that prints no JSON reports as text", async () => {
  const { code, error } = await run(["mail", "texts", "en", "--json", "--data-dir", dataDir]);
  expect({ code, error }).toMatchObject({ code: 2, error: expect.stringMatching(/^cloakroom: /) });
});
