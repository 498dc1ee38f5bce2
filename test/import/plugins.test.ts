import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSourceAddress } from "../../src/adapters/sources/address.ts";
import { foreignDatabase, foreignEngines } from "./foreign-database.ts";
import { type PluginDatabase, pluginDatabases, uuids } from "./plugin-databases.ts";
import { openSource, readAll } from "./read-source.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "plugins-"))));
afterAll(async () => await rm(folder, { recursive: true }));

function makeFile(statements: readonly string[]): string {
  const path = join(folder, `${crypto.randomUUID()}.db`);
  using database = new Database(path, { create: true });
  for (const statement of statements) database.run(statement);
  return path;
}

async function settingsOf({ settings, system }: Pick<PluginDatabase, "settings" | "system">) {
  if (settings === undefined) return {};
  const path = join(folder, `${crypto.randomUUID()}.txt`);
  await Bun.write(path, settings);
  return system === "gravit" ? { launchServer: path } : { env: path };
}

type Row = PluginDatabase["accounts"][number];

function byKey([one]: Row, [other]: Row): number {
  return String(one).localeCompare(String(other));
}

describe.each(foreignEngines("plugins for signing in"))("%s", (engine) => {
  test.each(pluginDatabases)("reads $title", async (database) => {
    await using foreign = await foreignDatabase(engine);
    if (engine === "mysql") await foreign.run("SET SESSION time_zone = '+00:00'");
    const quoted = (name: string) => (engine === "mysql" ? `\`${name}\`` : `"${name}"`);
    for (const statement of database.statements(quoted)) await foreign.run(statement);
    const source = await openSource(database.system, {
      address: parseSourceAddress(foreign.dsn),
      table: database.table ?? null,
      timeZone: "UTC",
      ...(await settingsOf(database)),
    });
    const all = await readAll(source);
    const found = all.accounts.map((account) => {
      const player = all.players.find(({ key }) => key === account.key);
      expect(player).toMatchObject({
        account: account.key,
        name: account.login,
        createdAt: account.createdAt,
      });
      const { key, login, mail, password, createdAt, lastSeenAt } = account;
      const text = password?.text.slice(0, 10) ?? null;
      return [key, login, mail, password?.kind ?? null, text, player?.uuid ?? null, createdAt, lastSeenAt];
    });
    expect(found.toSorted(byKey)).toEqual(database.accounts.map((row) => [...row]).toSorted(byKey));
    expect(all.players).toHaveLength(all.accounts.length);
    expect(all.factors.map(({ account }) => account)).toEqual([...(database.factors ?? [])]);
    expect(all.problems.map(({ key, reason }) => `${key} ${reason}`)).toEqual([...(database.problems ?? [])]);
    expect(all.facts).toMatchObject({
      uuidRule: database.uuidRule ?? null,
      isAboutOthers: false,
      notes: [],
    });
    expect(all.accounts.every(({ level, mailVerified }) => level === 1 && !mailVerified)).toBe(true);
  });
});

test("gives rows with one name in a page of their order, and takes pages of a thousand", async () => {
  const rows = Array.from({ length: 2500 }, (_, n) => `('name${n % 2499}', 'Name${n % 2499}', 'x', ${n})`);
  const file = makeFile([
    "CREATE TABLE openlogin (name TEXT, realname TEXT, password TEXT, regdate INTEGER)",
    `INSERT INTO openlogin VALUES ${rows.join(", ")}`,
  ]);
  const all = await readAll(await openSource("openlogin", { file }));
  expect(all.accounts).toHaveLength(2500);
  expect(all.facts.accounts).toBe(2500);
  const doubles = all.accounts.filter(({ key }) => key === "openlogin:name0");
  expect(doubles.map(({ createdAt }) => createdAt)).toEqual([null, 2499]);
});

function gravit(auth: unknown) {
  return { system: "gravit", settings: JSON.stringify({ auth }) } as const;
}

describe("refuses with a sentence", () => {
  const core = { table: "u", uuidColumn: "i", usernameColumn: "n", passwordColumn: "p" };
  test.each([
    [
      "another table",
      { system: "authme" },
      "CREATE TABLE users (id)",
      /there is no table authme .*config\.yml/,
    ],
    [
      "a column that lacks",
      { system: "authme" },
      "CREATE TABLE authme (id, username)",
      /the table authme has no column password; if AuthMe's config\.yml/,
    ],
    ["an empty database", { system: "nlogin" }, "", /it has no tables; .*-wal/],
    ["no settings", { system: "gravit" }, "CREATE TABLE u (i)", /--launchserver/],
    ["settings without an auth", gravit(undefined), "CREATE TABLE u (i)", /it has no auth/],
    [
      "settings that are no JSON",
      { system: "gravit", settings: "{ hunter2" },
      "CREATE TABLE u (i)",
      /it is no JSON$/,
    ],
    [
      "several auths",
      gravit({ one: { core }, two: { core } }),
      "CREATE TABLE u (i)",
      /it has several auths \(one, two\); set isDefault/,
    ],
    [
      "an auth without a database",
      gravit({ std: { core: { type: "http" } } }),
      "CREATE TABLE u (i)",
      /auth\.std\.core has the type http; only sql, .* CSV file/,
    ],
    [
      "settings of an older LaunchServer",
      gravit({ std: { provider: { type: "mysql" }, handler: { type: "mysql" } } }),
      "CREATE TABLE u (i)",
      /auth\.std has no core; it is of a LaunchServer before 5\.2; .* CSV file/,
    ],
    [
      "an auth without a table",
      gravit({ std: { core: { ...core, type: "sql", table: "" } } }),
      "CREATE TABLE u (i)",
      /auth has no core\.table/,
    ],
    [
      "an auth without a verifier",
      gravit({ std: { core: { ...core, type: "sql" } } }),
      "CREATE TABLE u (i)",
      /auth has no core\.passwordVerifier\.type/,
    ],
  ] as const)("%s", async (_, database, statement, message) => {
    const file = makeFile(statement === "" ? ["PRAGMA user_version = 1"] : [statement]);
    const settings = await settingsOf(database);
    const failed = await openSource(database.system, { file, ...settings }).then(() => "", String);
    expect(failed).toMatch(message);
    expect(failed).not.toContain("hunter2");
  });

  test.each(["limboauth", "gravit"] as const)("a file of H2 for %s", async (system) => {
    const file = join(folder, "limboauth-v2.mv.db");
    await Bun.write(file, "H:2,block:9");
    expect(openSource(system, { file })).rejects.toThrow(/H2, which only Java can read; export it to a CSV/);
  });

  test("no database at all, and an unknown time zone", async () => {
    expect(openSource("authme", {})).rejects.toThrow("authme needs its database: --dsn");
    const file = makeFile(["CREATE TABLE nlogin (last_name, password)"]);
    expect(openSource("nlogin", { file, timeZone: "Moon/Sea" })).rejects.toThrow("--time-zone");
  });
});

test("takes a time without a zone for one of the zone that is given", async () => {
  const file = makeFile([
    "CREATE TABLE nlogin (last_name TEXT, password TEXT, last_seen TEXT, creation_date INTEGER)",
    "INSERT INTO nlogin VALUES ('Ada', NULL, '2026-11-22 09:48:57', 1795330137000)",
  ]);
  const all = await readAll(await openSource("nlogin", { file, timeZone: "Europe/Moscow" }));
  expect(all.accounts[0]).toMatchObject({ createdAt: 1_795_330_137, lastSeenAt: 1_795_330_137 });
});

describe("GravitLauncher's settings", () => {
  test.each([
    [{ type: "bcrypt" }, null, true],
    [{ type: "plain" }, "plain", true],
    [{ type: "digest", algo: "MD5" }, "digest MD5", true],
    [{ type: "doubleDigest", algo: "SHA-256", toHexMode: true }, "doubleDigest SHA-256 hex", true],
    [{ type: "doubleDigest", algo: "SHA-256", toHexMode: false }, "doubleDigest SHA-256", true],
    [{ type: "own" }, "own", true],
    [{ type: "accept" }, null, false],
    [{ type: "json", url: "https://example.org" }, null, false],
  ])("%j", async (passwordVerifier, kind, comes) => {
    const core = {
      type: "postgresql",
      table: "u",
      uuidColumn: "i",
      usernameColumn: "n",
      passwordColumn: "p",
    };
    const settings = JSON.stringify({ auth: { std: { core: { ...core, passwordVerifier } } } });
    const file = makeFile([
      "CREATE TABLE u (i, n, p)",
      `INSERT INTO u VALUES ('${uuids.ada}', 'Ada', 'AbC')`,
    ]);
    const source = await openSource("gravit", {
      file,
      ...(await settingsOf({ system: "gravit", settings })),
    });
    const all = await readAll(source);
    expect(all.accounts[0]?.password ?? null).toEqual(comes ? { text: "AbC", kind, salt: null } : null);
    expect(all.facts.notes).toHaveLength(comes ? 0 : 1);
  });

  const skin = Buffer.from("a skin");
  test.each([
    [
      "the name",
      { skinURL: "http://s/%username%.png?x=1", cloakURL: "http://s/c/%username%.png" },
      "Ada.png",
    ],
    [
      "the uuid",
      { skinLocalPath: "/srv/skins/%uuid%.png", skinURL: "http://s/%username%.png" },
      `${uuids.ada}.png`,
    ],
    ["the uuid without hyphens", { skinURL: "http://s/%hash%.png" }, `${uuids.ada.replaceAll("-", "")}.png`],
    [
      "whatever is there",
      { type: "json", url: "http://s/%username%" },
      `${uuids.ada.replaceAll("-", "")}.png`,
    ],
  ])("finds textures by %s", async (_, textureProvider, name) => {
    const core = { type: "sql", table: "u", uuidColumn: "i", usernameColumn: "n", passwordColumn: "p" };
    const auth = { std: { core: { ...core, passwordVerifier: { type: "bcrypt" } }, textureProvider } };
    const skins = join(folder, crypto.randomUUID());
    await Bun.write(join(skins, name), skin);
    await Bun.write(join(skins, "Bob.jpg"), skin);
    const file = makeFile([
      "CREATE TABLE u (i, n, p)",
      `INSERT INTO u VALUES ('${uuids.ada}', 'Ada', ''), (NULL, 'Bob', ''), ('no uuid', '../Ada', '')`,
    ]);
    const settings = await settingsOf({ system: "gravit", settings: JSON.stringify({ auth }) });
    const open = () => openSource("gravit", { file, textures: skins, capes: skins, ...settings });
    const all = await readAll(await open());
    const shown = all.players.map((player) => `${player.name} ${player.skin}`);
    expect(shown.toSorted()).toEqual(["../Ada null", `Ada skin:${name}`, "Bob null"]);
    const texture = all.textures.find(({ kind }) => kind === "skin");
    expect(texture).toMatchObject({ key: `skin:${name}`, name: "Ada", file: name });
    await using source = await open();
    if (texture !== undefined) expect(await source.readTexture(texture, 100)).toEqual(new Uint8Array(skin));
  });
});
