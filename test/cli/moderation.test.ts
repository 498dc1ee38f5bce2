/** `skin list`, `skin delete`, `texture ban`, `unban` and `bans` (docs/contract/commands.md). */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { run, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  for (const [name, colour] of Object.entries({ red: 0xff0000ff, blue: 0xffff0000 }))
    await writeTexture(folder.path, `${name}.png`, { width: 64, height: 64, colour });
  await writeTexture(folder.path, "old.png", { width: 64, height: 32 });
  dataDir = join(folder.path, "people");
  for (const name of ["Anna", "Bert"])
    await done("user", "create", "--mail", `${name}@example.org`, "--username", name);
});
afterAll(() => folder[Symbol.asyncDispose]());

beforeEach(async () => {
  dataDir = join(folder.path, crypto.randomUUID());
  await cp(join(folder.path, "people"), dataDir, { recursive: true });
});

const cli = (...args: string[]) => run([...args, "--data-dir", dataDir]);
async function done(...args: string[]): Promise<string> {
  const { code, out, error } = await cli(...args);
  expect({ args, code, error }).toEqual({ args, code: 0, error: "" });
  return out;
}
const jsonOf = async (...args: string[]) => JSON.parse(await done(...args, "--json"));
const addSkin = (user: string, texture = "red", name = "Rude") =>
  jsonOf("skin", "add", "--user", user, "--file", join(folder.path, `${texture}.png`), "--name", name);

type Entry = { iss: string; action: string; for: number; detail: string };
async function audited() {
  const lines = (await done("audit", "export")).trimEnd().split("\n");
  const entries = lines.map((line): Entry => JSON.parse(line));
  return entries.map(({ iss, action, for: about, detail }) => ({
    iss,
    action,
    about,
    ...JSON.parse(detail),
  }));
}
function mails() {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  return database.query("SELECT recipient, template FROM outbox").values();
}

describe("skin list", () => {
  test("has a line for every skin, by id, with whose it is", async () => {
    const { uuid: one } = await addSkin("Anna");
    const { uuid: two } = await addSkin("Bert", "old", "Old one");
    const lines = (await done("skin", "list")).trimEnd().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["id", "uuid", "name", "owner", "model", "size"],
      ["1", one, "Rude", "Anna", "classic", "64x64", "selected"],
      ["2", two, "Old one", "Bert", "classic", "64x32", "selected"],
    ]);
  });

  test("as JSON has the contract's fields, and the hash that bans take", async () => {
    const { uuid } = await addSkin("Anna");
    const skins = await jsonOf("skin", "list");
    expect(skins).toEqual([
      {
        id: 1,
        uuid,
        name: "Rude",
        slim: false,
        hd: false,
        cloak_id: "",
        selected: true,
        iss: "Anna",
        for: 1,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        width: 64,
        height: 64,
        created: expect.any(Number),
      },
    ]);
    expect(skins[0].hash).not.toBe(skins[0].sha256);
  });

  test("of one user has that user's alone", async () => {
    await addSkin("Anna");
    const { uuid } = await addSkin("Bert");
    for (const user of ["Bert", "2", "BERT@example.org"])
      expect(await jsonOf("skin", "list", "--user", user)).toMatchObject([{ uuid }]);
    const { code, out, error } = await cli("skin", "list", "--user", "Nobody");
    expect({ code, out, error }).toEqual({
      code: 1,
      out: "",
      error: "cloakroom: No user is known as Nobody\n",
    });
  });

  test("without rows is empty", async () => {
    expect(await jsonOf("skin", "list")).toEqual([]);
    expect(await jsonOf("texture", "bans")).toEqual([]);
    expect(await done("skin", "list")).toMatch(/^id +uuid +name[^\n]+\n$/);
  });

  test("of more than a page has all, each once, and shows how far it is", async () => {
    const { uuid } = await addSkin("Anna");
    {
      using database = new Database(join(dataDir, "cloakroom.db"));
      const insert = database.query(
        `INSERT INTO skins (uuid, account_id, texture_hash, name, model, created_at)
         SELECT ?, 1, texture_hash, name, model, 1 FROM skins WHERE uuid = ?`,
      );
      database.transaction(() => {
        for (let i = 0; i < 1500; i++) insert.run(crypto.randomUUID(), uuid);
      })();
    }
    let shown = 0;
    const { out } = await run(["skin", "list", "--json", "--data-dir", dataDir], {
      onProgress: () => void (shown += 1),
    });
    const ids = (JSON.parse(out) as { id: number }[]).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 1501 }, (_, i) => i + 1));
    expect(shown).toBeGreaterThan(0);
    expect((await done("skin", "list")).split("\n").filter((line) => line.includes("Rude"))).toHaveLength(
      1501,
    );
  });
});

describe("skin delete", () => {
  test("removes the skin, writes audit, and mails a reason", async () => {
    const { uuid, hash } = await addSkin("Anna");
    const out = await done("skin", "delete", uuid.toUpperCase(), "--reason", "It is rude");
    expect(out).toBe("deleted skin 1 (Rude) of Anna\n");
    expect(await jsonOf("skin", "list")).toEqual([]);
    const { sha256: _, ...old } = (await audited()).at(-1).old;
    expect((await audited()).at(-1)).toMatchObject({
      iss: "cli",
      action: "skin.delete",
      about: 1,
      uuid,
      reason: "It is rude",
      ban: false,
    });
    expect(old).toEqual({ owner: "Anna", name: "Rude", hash });
    expect(mails()).toEqual([["Anna@example.org", "skin-removed"]]);
  });

  test("with a ban removes the bitmap everywhere, and refuses it afterwards", async () => {
    const { uuid, hash } = await addSkin("Anna");
    await addSkin("Bert");
    const kept = await addSkin("Bert", "blue");
    let shown = 0;
    const { code, out } = await run(["skin", "delete", uuid, "--ban", "--data-dir", dataDir], {
      onProgress: () => void (shown += 1),
    });
    expect({ code, out }).toEqual({
      code: 0,
      out: `deleted skin 1 (Rude) of Anna\nbanned ${hash}; 2 skins removed\n`,
    });
    expect(shown).toBeGreaterThan(0);
    expect(await jsonOf("skin", "list")).toMatchObject([{ uuid: kept.uuid }]);
    const file = join(folder.path, "red.png");
    const again = await cli("skin", "add", "--user", "Bert", "--file", file);
    const banned = `cloakroom: ${file}: this picture is banned here; choose another one\n`;
    expect(again).toEqual({ code: 1, out: "", error: banned });
  });

  test.each<[string, string[], number, string]>([
    ["an unknown skin", ["8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b"], 1, "there is no skin 8f2e4c1a"],
    ["an id", ["1"], 2, '<uuid> is "1": must be a UUID'],
    ["no skin", [], 2, "<uuid> must be given"],
    ["an empty reason", ["8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b", "--reason="], 2, "must not be empty"],
  ])("refuses %s", async (_, args, status, message) => {
    await addSkin("Anna");
    const { code, out, error } = await cli("skin", "delete", ...args);
    expect({ code, out }).toEqual({ code: status, out: "" });
    expect(error).toContain(message);
    expect(await jsonOf("skin", "list")).toHaveLength(1);
  });

  test("refuses a reason of two lines, and removes nothing", async () => {
    const { uuid } = await addSkin("Anna");
    const { code, error } = await cli("skin", "delete", uuid, "--reason", "a\nb", "--ban");
    expect(code).toBe(1);
    expect(error).toContain("reason: must be one line of 1 to 500 characters");
    expect(await jsonOf("skin", "list")).toHaveLength(1);
    expect(await jsonOf("texture", "bans")).toEqual([]);
  });
});

describe("texture ban, unban and bans", () => {
  test("ban a bitmap, list it and let it in again", async () => {
    const { hash } = await addSkin("Anna");
    expect(await done("texture", "ban", hash.toUpperCase(), "--reason", "Rude")).toBe(
      `banned ${hash}; 1 skin removed\n`,
    );
    const [ban] = await jsonOf("texture", "bans");
    expect(ban).toEqual({ id: 1, hash, iss: "cli", time: expect.any(Number), reason: "Rude" });
    const lines = (await done("texture", "bans")).trimEnd().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["id", "hash", "by", "time", "reason"],
      ["1", hash, "cli", expect.stringMatching(/^20\S+Z$/), "Rude"],
    ]);
    expect(await done("texture", "unban", hash)).toBe(`lifted the ban of ${hash}\n`);
    expect(await jsonOf("texture", "bans")).toEqual([]);
    expect(await addSkin("Anna")).toMatchObject({ hash });
    const common = { iss: "cli", about: 0 };
    expect((await audited()).slice(-3, -1)).toEqual([
      { ...common, action: "texture.ban", new: { hash, reason: "Rude" }, skins_removed: 1 },
      { ...common, action: "texture.unban", old: { hash, iss: "cli", time: ban.time, reason: "Rude" } },
    ]);
  });

  test("as JSON print what they did", async () => {
    const hash = "ab".repeat(32);
    const ban = { id: 1, hash, iss: "cli", time: expect.any(Number), reason: "" };
    expect(await jsonOf("texture", "ban", hash)).toEqual({ ...ban, skins_removed: 0 });
    expect(await jsonOf("texture", "unban", hash)).toEqual(ban);
  });

  test("refuse what cannot be", async () => {
    const hash = "ab".repeat(32);
    const file = join(folder.path, "old.png");
    const cape = await jsonOf("cape", "add", "--file", file, "--name", "Founders");
    await done("texture", "ban", hash);
    const cases: [string[], number, string][] = [
      [["ban", hash], 1, `hash: ${hash} is banned already`],
      [["ban", cape.hash], 1, "an administrator has to delete the cape first"],
      [["ban", "abc"], 2, '<hash> is "abc": must be 64 hexadecimal digits'],
      [["ban", cape.uuid], 2, "must be 64 hexadecimal digits"],
      [["unban", "cd".repeat(32)], 1, "hash: there is no ban of cdcd"],
      [["unban", "x"], 2, "must be 64 hexadecimal digits"],
      [["ban"], 2, "<hash> must be given"],
    ];
    for (const [args, status, message] of cases) {
      const { code, out, error } = await cli("texture", ...args);
      expect({ args, code, out }).toEqual({ args, code: status, out: "" });
      expect(error).toContain(message);
    }
    expect(await jsonOf("texture", "bans")).toHaveLength(1);
    expect((await audited()).filter(({ action }) => action.startsWith("texture."))).toHaveLength(1);
  });

  test("go into backups and come back with them", async () => {
    const { hash } = await addSkin("Anna");
    await done("texture", "ban", hash, "--reason", "Rude");
    expect(JSON.parse((await cli("fsck", "--json")).out)).toMatchObject({ faults: [] });
    const archive = join(folder.path, `${crypto.randomUUID()}.tar.zst`);
    await done("backup", archive, "--without-secrets");
    dataDir = join(folder.path, crypto.randomUUID());
    await done("restore", archive);
    expect(await jsonOf("texture", "bans")).toMatchObject([{ hash, reason: "Rude" }]);
    const args = ["skin", "add", "--user", "Anna", "--file", join(folder.path, "red.png")];
    expect((await cli(...args)).error).toContain("banned");
  });
});

test.each([
  "skin list",
  "skin delete 8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b",
  `texture ban ${"ab".repeat(32)}`,
  "texture bans",
])("%s makes no data folder", async (line) => {
  dataDir = join(folder.path, "mistyped");
  const { code, error } = await cli(...line.split(" "));
  expect(code).toBe(1);
  expect(error).toBe(`cloakroom: ${dataDir} holds no database: is --data-dir (or DATA_DIR) right?\n`);
});
