/* Runs of one source after the first: what is matched, kept and brought, and what a dry run leaves alone. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { skinPng, capePng } from "../support/textures.ts";
import { openPlanWorld, shortly, type Line, type PlanWorld, bcrypt, md5, fine } from "./plan-world.ts";

let world: PlanWorld;
beforeEach(async () => void (world = await openPlanWorld()));
afterEach(() => world[Symbol.asyncDispose]());

async function done(lines: readonly Line[], ...flags: readonly string[]): Promise<readonly string[]> {
  expect(await world.import(lines, ...flags)).toMatchObject({ code: 0 });
  return (await world.report("result.jsonl")).map(shortly);
}

const user = async (name: string) => JSON.parse((await world.cli("user", "show", name, "--json")).out);

const levelOfAda = async () => (await user("Ada")).perms;

/** Names, sizes and times of all files of the data folder. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    names
      .toSorted((one, other) => (one < other ? -1 : 1))
      .map(async (name) => {
        const { size, mtimeMs, ctimeMs } = await stat(join(folder, name));
        return `${name} ${size} ${mtimeMs} ${ctimeMs}`;
      }),
  );
}

describe("a dry run", () => {
  test("makes no data folder", async () => {
    expect(await world.plan([fine("Ada")])).toEqual(["account create Ada", "player create Ada"]);
    expect(await filesOf(world.dataDir)).toEqual([]);
  });

  test("changes no file of a data folder", async () => {
    await world.cli(
      "user",
      "create",
      "--username",
      "Here",
      "--mail",
      "here@here.org",
      "--password",
      "quiet harbour 7",
    );
    const before = await filesOf(world.dataDir);
    expect(before).not.toEqual([]);
    expect(await world.plan([fine("here")])).toHaveLength(2);
    expect(await filesOf(world.dataDir)).toEqual(before);
  });

  test("puts no report into the data folder, by no way there", async () => {
    await done([fine("Bob")]);
    const link = join(world.folder, "link");
    await symlink(world.dataDir, link);
    const before = await filesOf(world.dataDir);
    for (const report of [world.dataDir, join(world.dataDir, "new", "report"), join(link, "report")]) {
      const file = join(world.folder, "list.csv");
      await Bun.write(file, "username\nAda\n");
      const flags = ["--from", "csv", "--file", file, "--dry-run", "--report", report];
      const { code, error } = await world.cli("import", ...flags);
      expect([code, error]).toEqual([1, expect.stringContaining("is in the data folder")]);
    }
    expect(await filesOf(world.dataDir)).toEqual(before);
  });

  test("writes no formula and nothing that steers a terminal into the file for spreadsheets", async () => {
    await world.import([fine("=cmd()"), fine("\u001b[2JEve")], "--dry-run");
    const text = await Bun.file(join(world.folder, "report", "problems.csv")).text();
    expect(text).toContain(",'=cmd(),");
    expect(text).toContain("\uFFFD[2JEve");
    expect(text).not.toContain("\u001b");
  });

  test("writes no hash, salt or secret into its report or answer", async () => {
    const lines = [
      fine("Ada", { password_hash: md5, password_kind: "salted2-md5", salt: "pepper-of-env" }),
      fine("Bob"),
    ];
    const { out, error } = await world.import(lines, "--dry-run");
    const texts = [out, error];
    for (const name of ["plan.jsonl", "problems.csv", "summary.json"])
      texts.push(await Bun.file(join(world.folder, "report", name)).text());
    for (const secret of [md5, "pepper-of-env", bcrypt.slice(0, 20)])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});

test("the real run decides as the dry run did, and a second run changes nothing", async () => {
  await Bun.write(join(world.folder, "list", "ada.png"), skinPng(1));
  await Bun.write(join(world.folder, "list", "cape.png"), capePng(2));
  const lines = [
    fine("Ada", { skin: "ada.png", cape: "cape.png" }),
    fine("ada"),
    fine("admin", { language: "ru_RU" }),
  ];
  const planned = await world.plan(lines);
  expect(await done(lines)).toEqual(planned);
  const { out } = await world.import(lines, "--json");
  const { planned: counts, applied } = JSON.parse(out);
  expect({ counts, applied }).toEqual({
    counts: { account: { match: 3 }, player: { match: 3 }, cape: { match: 1 } },
    applied: { state: "done", counts: { account: 0, player: 0, skin: 0, cape: 0 } },
  });
  const { skins, capes } = await user("Ada");
  expect([skins.length, capes.length]).toEqual([1, 1]);
});

test("what is new there comes, and what was deleted here does not come again", async () => {
  await done([fine("Ada"), fine("Bob")]);
  await world.cli("user", "delete", "Bob");
  expect(await done([fine("Ada"), fine("Bob"), fine("Eve")])).toEqual([
    "account match Ada",
    "player match Ada",
    "account keep Bob: it was deleted here",
    "player keep Bob: it was deleted here",
    "account create Eve",
    "player create Eve",
  ]);
});

describe("what changed there", () => {
  const before = [fine("Ada", { password_hash: md5, password_kind: "md5" }), fine("Bob")];
  const changed = [
    fine("Ada", {
      password_hash: md5.replace("4", "5"),
      password_kind: "md5",
      mail: "new@example.org",
      language: "de",
    }),
    fine("Bob", { last_seen: 1_700_000_000 }),
  ];

  test("is kept as it is here", async () => {
    await done(before);
    expect(await done(changed)).toEqual([
      "account keep Ada: it changed there: --update brings that",
      "player match Ada",
      "account match Bob",
      "player match Bob",
    ]);
    expect((await user("Ada")).mail).toBe("ada@example.org");
  });

  test("comes with --update, once", async () => {
    await done(before);
    expect(await done(changed, "--update")).toEqual([
      "account merge Ada: what changed there comes over",
      "player match Ada",
      "account match Bob",
      "player match Bob",
    ]);
    const { mail, mail_verify: verified } = await user("Ada");
    expect([mail, verified]).toEqual(["new@example.org", 1]);
    expect(await done(changed, "--update")).toEqual([
      "account match Ada",
      "player match Ada",
      "account match Bob",
      "player match Bob",
    ]);
  });

  test("does not replace what was chosen here since", async () => {
    await Bun.write(join(world.folder, "list", "one.png"), skinPng(1));
    await Bun.write(join(world.folder, "list", "cape.png"), capePng(2));
    const ada = fine("Ada", { skin: "one.png" });
    await done([ada]);
    await world.cli("player", "set", "Ada", "--name", "Countess", "--skin", "none");
    using database = new Database(join(world.dataDir, "cloakroom.db"));
    database.run("UPDATE accounts SET mail = 'own@here.org', mail_key = 'own@here.org', language = 'ru'");
    const changedThere = { mail: "later@example.org", language: "zh", cape: "cape.png" };
    await done([{ ...ada, ...changedThere }], "--update");
    const { mail, username, skins, capes } = await user("Countess");
    expect([mail, username, capes.length]).toEqual(["own@here.org", "Countess", 1]);
    expect(skins).toMatchObject([{ name: "one", selected: false }]);
    expect(database.query("SELECT language FROM accounts").get()).toEqual({ language: "ru" });
  });

  test("a level is given where staff keeps it, and not again where it was taken away here", async () => {
    await done([fine("Ada")]);
    const risen = [fine("Ada", { level: 3 })];
    expect((await done(risen, "--update"))[0]).toEndWith(
      "; it is staff there: user set-level gives it level 3 here",
    );
    expect(await levelOfAda()).toBe(1);
    expect((await done([fine("Ada", { level: 2 })], "--update", "--staff", "keep"))[0]).toEndWith(
      "; it is staff there and gets level 2",
    );
    expect(await levelOfAda()).toBe(2);
    await world.cli("user", "set-level", "Ada", "1");
    await done([fine("Ada", { level: 2, language: "de" })], "--update", "--staff", "keep");
    expect(await levelOfAda()).toBe(1);
  });

  test("a skin that a player wears now comes with --update", async () => {
    await Bun.write(join(world.folder, "list", "one.png"), skinPng(1));
    await Bun.write(join(world.folder, "list", "two.png"), skinPng(2));
    await done([fine("Ada", { skin: "one.png" })]);
    expect(await done([fine("Ada", { skin: "two.png" })], "--update")).toEqual([
      "account match Ada",
      "skin create two",
      "player merge Ada: what changed there comes over",
    ]);
    const { skins } = await user("Ada");
    expect(
      skins.map(({ name, selected }: { name: string; selected: unknown }) => [name, Boolean(selected)]),
    ).toEqual([
      ["one", false],
      ["two", true],
    ]);
  });
});

test("one run of a source at a time", async () => {
  const [one, other] = await Promise.all([world.import([fine("Ada")]), world.import([fine("Ada")])]);
  expect([one.code, other.code]).toContain(0);
  expect((await world.cli("user", "list", "--json")).out.match(/"username": "Ada/g)).toHaveLength(1);
});

test("accounts that were joined are found again", async () => {
  await Bun.write(join(world.folder, "list", "one.png"), skinPng(1));
  const lines = [
    fine("Ada", { mail: "x@example.org" }),
    fine("Bob", { mail: "x@example.org", skin: "one.png" }),
  ];
  const merge = ["--on-mail-clash", "merge"];
  await done(lines, ...merge);
  expect(await done(lines, ...merge)).toEqual([
    "account match Ada",
    "player match Ada",
    "account match Bob",
    "player match Bob",
  ]);
  const { players, skins } = await user("Ada");
  expect([players.length, skins.length]).toEqual([2, 1]);
});

test("a folder of textures dresses a player once; what changes here then stays", async () => {
  await world.cli(
    "user",
    "create",
    "--username",
    "Ada",
    "--mail",
    "a@here.org",
    "--password",
    "quiet harbour 7",
  );
  await Bun.write(join(world.folder, "skins", "Ada.png"), skinPng(1));
  await Bun.write(join(world.folder, "capes", "ada.png"), capePng(2));
  const folders = ["--textures", join(world.folder, "skins"), "--capes-dir", join(world.folder, "capes")];
  const dress = async () =>
    JSON.parse((await world.cli("import", "--from", "textures", ...folders, "--json")).out);
  const look = async () => {
    const { skins, capes, players } = await user("Ada");
    return [skins.length, capes.length, Boolean(players[0].skin), Boolean(players[0].own_cape)];
  };
  expect((await dress()).planned).toMatchObject({
    skin: { create: 1 },
    cape: { create: 1 },
    grant: { create: 1 },
  });
  expect(await look()).toEqual([1, 1, true, true]);
  const { capes } = await user("Ada");
  await world.cli("cape", "revoke", capes[0].uuid, "--owner", "Ada");
  expect((await dress()).planned).toMatchObject({
    skin: { match: 1 },
    cape: { match: 1 },
    grant: { match: 1 },
  });
  expect(await look()).toEqual([1, 0, true, false]);
});
