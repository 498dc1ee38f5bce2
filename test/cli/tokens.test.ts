import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run, temporaryFolder } from "./run-program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** A data folder with nothing in its database. */
async function dataFolder(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await run(["migrate", "--data-dir", dataDir]);
  return dataDir;
}
const token = (dataDir: string, ...args: readonly string[]) => run(["token", ...args, "--data-dir", dataDir]);

type Entry = { readonly iss: string; readonly action: string; readonly for: number; readonly detail: string };
async function audit(dataDir: string): Promise<readonly Entry[]> {
  const { out } = await run(["audit", "export", "--data-dir", dataDir]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("token create", () => {
  test("shows a token of 256 bits, once, and keeps only its hash", async () => {
    const dataDir = await dataFolder();
    const { code, out, error } = await token(dataDir, "create", "web-shop");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const [, value = ""] =
      /^name: +web-shop\nmay: +find,permission\ntoken: +(crs_[A-Za-z0-9_-]{43})\n$/.exec(out) ?? [];
    expect(value).not.toBe("");
    expect((await token(dataDir, "list")).out).not.toContain(value);
    const { out: exported } = await run(["audit", "export", "--data-dir", dataDir]);
    expect(exported).not.toContain(value);
    using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
    const [row] = database.query<{ hash: string }, []>("SELECT * FROM service_tokens").all();
    expect(JSON.stringify(row)).not.toContain(value);
    expect(row?.hash).toBe(new Bun.CryptoHasher("sha256").update(value).digest("hex"));
    expect(exported).not.toContain(row!.hash);
  });

  test("as JSON has id, name, rights, time and token, each time another", async () => {
    const dataDir = await dataFolder();
    const made = [
      JSON.parse((await token(dataDir, "create", "a", "--json")).out),
      JSON.parse((await token(dataDir, "create", "b", "--json")).out),
    ];
    const value = expect.stringMatching(/^crs_/);
    const may = ["find", "permission"];
    expect(made).toEqual([
      { id: 1, name: "a", may, created: expect.any(Number), last_used: null, token: value },
      { id: 2, name: "b", may, created: expect.any(Number), last_used: null, token: value },
    ]);
    expect(made[0].token).not.toBe(made[1].token);
  });

  test.each(["a", "0", "web.shop_2-eu", "x".repeat(32)])("takes the name %s", async (name) => {
    expect(await token(await dataFolder(), "create", name)).toMatchObject({ code: 0, error: "" });
  });

  test.each([
    ["Shop", "must be 1 to 32 of a-z 0-9 . _ -"],
    [".shop", "must be 1 to 32"],
    ["-shop", "unknown option -shop"],
    ["web shop", "must be 1 to 32"],
    ["shöp", "must be 1 to 32"],
    ["x".repeat(33), "must be 1 to 32"],
    ["shop\n", "must be 1 to 32"],
    ["", "must not be empty"],
    ["default", "is the name of the token that is a setting"],
    ["launchserver", "is the name of the launch server"],
  ])("refuses the name %j", async (name, rule) => {
    const dataDir = await dataFolder();
    const { code, out, error } = await token(dataDir, "create", name);
    expect({ done: code === 0, out }).toEqual({ done: false, out: "" });
    expect(error).toContain(rule);
    expect(JSON.parse((await token(dataDir, "list", "--json")).out)).toEqual([]);
  });

  test.each([
    ["find", ["find"]],
    ["cape,find", ["find", "cape"]],
    ["events, launcher", ["events", "launcher"]],
    ["find,permission,events,launcher,cape", ["find", "permission", "events", "launcher", "cape"]],
    ["find,find", ["find"]],
  ])("gives the rights %s", async (may, rights) => {
    const dataDir = await dataFolder();
    const { out } = await token(dataDir, "create", "shop", "--may", may, "--json");
    expect(JSON.parse(out)).toMatchObject({ name: "shop", may: rights });
    expect(JSON.parse((await token(dataDir, "list", "--json")).out)).toMatchObject([{ may: rights }]);
    expect((await token(dataDir, "list")).out).toContain(` ${rights.join(",")} `);
  });

  test.each(["", "all", "find,", "find permission", "Find", "find,admin", "*"])(
    "refuses the rights %j",
    async (may) => {
      const dataDir = await dataFolder();
      const { code, error } = await token(dataDir, "create", "shop", "--may", may);
      expect(code).toBe(2);
      expect(error).toContain(
        "must be some of find, permission, events, launcher, cape, separated by commas",
      );
      expect(JSON.parse((await token(dataDir, "list", "--json")).out)).toEqual([]);
    },
  );

  test("refuses a name that a token has", async () => {
    const dataDir = await dataFolder();
    await token(dataDir, "create", "shop");
    const { code, error } = await token(dataDir, "create", "shop");
    expect(code).toBe(1);
    expect(error).toContain("a token of this name exists already");
    expect(await audit(dataDir)).toHaveLength(1);
  });

  test("refuses one token too many", async () => {
    const dataDir = await dataFolder();
    using database = new Database(join(dataDir, "cloakroom.db"));
    const insert = database.query("INSERT INTO service_tokens (name, hash, created_at) VALUES (?, ?, 1)");
    for (let number = 1; number < 100; number++) insert.run(`shop${number}`, `hash${number}`);
    expect(await token(dataDir, "create", "hundredth")).toMatchObject({ code: 0 });
    const { code, error } = await token(dataDir, "create", "another");
    expect(code).toBe(1);
    expect(error).toContain("There are 100 service tokens, which is the most: revoke one first");
  });
});

describe("token list", () => {
  test("has a line for every token", async () => {
    const dataDir = await dataFolder();
    await token(dataDir, "create", "shop");
    await token(dataDir, "create", "bot");
    const { code, out } = await token(dataDir, "list");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^id +name +may +created +last used\n1 +shop +find,permission +20\S+Z +never\n2 +bot +find,permission +20\S+Z +never\n$/,
    );
    const records = JSON.parse((await token(dataDir, "list", "--json")).out);
    const may = ["find", "permission"];
    expect(records).toEqual([
      { id: 1, name: "shop", may, created: expect.any(Number), last_used: null },
      { id: 2, name: "bot", may, created: expect.any(Number), last_used: null },
    ]);
  });
});

test("token list shows when a token was last used", async () => {
  const dataDir = await dataFolder();
  await token(dataDir, "create", "shop");
  using database = new Database(join(dataDir, "cloakroom.db"));
  database.run("UPDATE service_tokens SET last_used_at = 4102444800");
  expect((await token(dataDir, "list")).out).toContain(" 2100-01-01T00:00:00.000Z\n");
  expect(JSON.parse((await token(dataDir, "list", "--json")).out)).toMatchObject([{ last_used: 4102444800 }]);
});

describe("token revoke", () => {
  test("removes the token, whose name can be used again", async () => {
    const dataDir = await dataFolder();
    await token(dataDir, "create", "shop");
    expect(await token(dataDir, "revoke", "shop")).toEqual({
      code: 0,
      out: "revoked the token of shop\n",
      error: "",
    });
    expect(JSON.parse((await token(dataDir, "list", "--json")).out)).toEqual([]);
    expect(JSON.parse((await token(dataDir, "create", "shop", "--json")).out)).toMatchObject({ id: 2 });
    expect(JSON.parse((await token(dataDir, "revoke", "shop", "--json")).out)).toMatchObject({
      id: 2,
      name: "shop",
    });
  });

  test.each(["shop", "default", "no such name"])("says that there is no token named %s", async (name) => {
    const dataDir = await dataFolder();
    const { code, error } = await token(dataDir, "revoke", name);
    expect(code).toBe(1);
    expect(error).toContain(`There is no service token named ${name}`);
    expect(await audit(dataDir)).toEqual([]);
  });
});

test("making and revoking tokens is audited", async () => {
  const dataDir = await dataFolder();
  await token(dataDir, "create", "shop");
  await token(dataDir, "revoke", "shop");
  const entries = await audit(dataDir);
  expect(
    entries.map(({ iss, action, for: about, detail }) => [iss, action, about, JSON.parse(detail)]),
  ).toEqual([
    ["cli", "token.create", 0, { new: { id: 1, name: "shop", may: ["find", "permission"] } }],
    ["cli", "token.revoke", 0, { old: { id: 1, name: "shop" } }],
  ]);
});
