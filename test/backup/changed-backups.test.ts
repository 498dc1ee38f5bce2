/** Backups that somebody changed so that everything in them fits together again. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { measureRoom } from "../../src/domain/backup/staged-folder.ts";
import { messageIn, run, temporaryFolder } from "../cli/run-program.ts";
import { mountSmallDisk, noSmallDisk } from "../faults/small-disk.ts";
import { sha256, skinPng } from "../support/textures.ts";
import { entryOf, readEntries, withFittingManifest, writeEntries, type Entry } from "./archives.ts";
import { changeDatabase, filesOf, makeData, putOldDatabase, rowsOf } from "./data-world.ts";

const passphrase = "correct horse battery";
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;
/** A backup made without the passphrase, and two with it. */
let plain: readonly Entry[];
let authenticated: readonly Entry[];
let later: readonly Entry[];

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
  plain = await backUp(full, {});
  authenticated = await backUp(full, { BACKUP_PASSPHRASE: passphrase });
  const copy = await copyOfData();
  changeDatabase(join(copy, "cloakroom.db"), "UPDATE accounts SET level = 3 WHERE id = 2");
  later = await backUp(copy, { BACKUP_PASSPHRASE: passphrase });
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Why no small disk can be had here; null when one can. */
const noDisk = await noSmallDisk();

const newPath = () => join(folder.path, crypto.randomUUID());

async function copyOfData(): Promise<string> {
  const dataDir = newPath();
  await cp(full, dataDir, { recursive: true });
  return dataDir;
}

async function backUp(dataDir: string, environment: Record<string, string>): Promise<readonly Entry[]> {
  const path = newPath();
  const { code, error } = await run(["backup", path, "--data-dir", dataDir], { environment });
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return readEntries(path);
}

/** Restores into a new folder, with the passphrase or without. */
async function restore(
  source: string | readonly Entry[],
  { secret = "", flags = [] as readonly string[] } = {},
) {
  const path = typeof source === "string" ? source : newPath();
  if (typeof source !== "string") await writeEntries(path, source);
  const dataDir = newPath();
  const environment = secret === "" ? {} : { BACKUP_PASSPHRASE: secret };
  const args = ["restore", path, "--json", ...flags, "--data-dir", dataDir];
  return { dataDir, ...(await run(args, { environment })) };
}

type Outcome = Awaited<ReturnType<typeof restore>>;

async function expectRefused({ dataDir, ...outcome }: Outcome, reason: string): Promise<void> {
  expect(outcome).toMatchObject({ code: 1, out: "" });
  expect(messageIn(outcome)).toContain(reason);
  expect(outcome.error).not.toContain("internal fault");
  expect(await filesOf(dataDir)).toEqual({});
  expect(await Bun.file(join(dataDir, "cloakroom.db")).exists()).toBe(false);
}

async function withDatabase(entries: readonly Entry[], statement: string): Promise<readonly Entry[]> {
  const path = newPath();
  await Bun.write(path, entryOf(entries, "cloakroom.db").content);
  changeDatabase(path, statement);
  changeDatabase(path, "PRAGMA journal_mode = DELETE");
  const content = await Bun.file(path).bytes();
  return entries.map((entry) => (entry.name === "cloakroom.db" ? { ...entry, content } : entry));
}

const evil = `CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN UPDATE accounts SET level = 3; END`;

const schemas: [string, string, string][] = [
  ["a trigger", evil, 'the trigger "evil" is not part of it'],
  ["a view", "CREATE VIEW evil AS SELECT * FROM accounts", 'the view "evil" is not part of it'],
  ["a table", "CREATE TABLE evil (id INTEGER)", 'the table "evil" is not part of it'],
  ["an index", "CREATE INDEX evil ON accounts (level)", 'the index "evil" is not part of it'],
  [
    "a name that speaks to terminals",
    `CREATE TABLE "\u001b[2J\u009b" (id INTEGER)`,
    'the table "?[2J?" is not part of it',
  ],
  [
    "a trigger of ours that does something else",
    `DROP TRIGGER users_search_account; CREATE TRIGGER users_search_account AFTER INSERT ON accounts BEGIN SELECT 1; END`,
    'the trigger "users_search_account" was changed',
  ],
  ["a table with one column more", "ALTER TABLE accounts ADD evil TEXT", 'the table "accounts" was changed'],
  [
    "a trigger of ours taken out",
    "DROP TRIGGER skins_search_gone",
    'the trigger "skins_search_gone" is missing',
  ],
  ["an index of ours taken out", "DROP INDEX capes_texture", 'the index "capes_texture" is missing'],
];

describe("a database whose schema has", () => {
  test.each(schemas)("%s is refused by restore", async (_, statement, reason) => {
    const changed = withFittingManifest(await withDatabase(plain, statement));
    await expectRefused(await restore(changed), `its database's schema was changed: ${reason}`);
  });

  test.each(schemas)("%s is named by fsck and by doctor", async (_, statement, reason) => {
    const dataDir = await copyOfData();
    changeDatabase(join(dataDir, "cloakroom.db"), statement);
    const checked = await run(["fsck", "--json", "--data-dir", dataDir]);
    expect(checked).toMatchObject({ code: 1, error: expect.stringContaining("schema was changed") });
    expect(JSON.parse(checked.out)).toMatchObject({ faults: [], schema_faults: [reason] });
    const { out } = await run(["doctor", "--json", "--port", "0", "--data-dir", dataDir]);
    expect(JSON.parse(out).findings).toContainEqual({
      check: "database",
      state: "problem",
      message: `its schema was changed: ${reason}`,
      remedy: expect.stringContaining("restore a backup from before"),
    });
  });

  test("a trigger is refused in a folder as well, and a backup of it says that no restore takes it", async () => {
    const dataDir = await copyOfData();
    changeDatabase(join(dataDir, "cloakroom.db"), evil);
    await expectRefused(await restore(dataDir), 'the trigger "evil" is not part of it');
    const path = newPath();
    const made = await run(["backup", path, "--json", "--data-dir", dataDir]);
    expect(made).toMatchObject({
      code: 0,
      error: expect.stringContaining('no restore takes this backup: the trigger "evil" is not part of it\n'),
    });
    await expectRefused(await restore(path), 'the trigger "evil" is not part of it');
  });

  test("a trigger is refused in one of an older version, too, which is taken without it", async () => {
    const dataDir = await copyOfData();
    await putOldDatabase(dataDir, 3);
    expect(await restore(dataDir)).toMatchObject({ code: 0, error: "" });
    changeDatabase(
      join(dataDir, "cloakroom.db"),
      "CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN SELECT 1; END",
    );
    await expectRefused(await restore(dataDir), 'the trigger "evil" is not part of it');
  });

  test("only statistics of SQLite beside ours is as good as any", async () => {
    const dataDir = await copyOfData();
    changeDatabase(join(dataDir, "cloakroom.db"), "ANALYZE");
    expect(rowsOf(dataDir)["sqlite_stat1"]).not.toEqual([]);
    expect(await run(["fsck", "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect((await restore(dataDir)).code).toBe(0);
  });
});

const notAuthentic = "the passphrase is not the one that it was made with, or it was changed since";

function manifestOf(entries: readonly Entry[]) {
  return JSON.parse(Buffer.from(entryOf(entries, "manifest.json").content).toString());
}

const replaced = (name: string, content: Uint8Array) => (entries: readonly Entry[]) =>
  entries.map((entry) =>
    entry === entryOf(entries, name) ? { ...entry, content: Buffer.from(content) } : entry,
  );

describe("with the passphrase", () => {
  test("a backup as it was made is taken, with its secrets or without", async () => {
    for (const flags of [[], ["--without-secrets"]]) {
      const { code, out, error, dataDir } = await restore(authenticated, { secret: passphrase, flags });
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(JSON.parse(out)).toMatchObject({ authenticity: "authentic" });
      expect(rowsOf(dataDir)).toEqual(rowsOf(full));
    }
  });

  test("each backup has another code", () => {
    const macs = [authenticated, later].map((entries) => manifestOf(entries).mac);
    expect(macs).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(macs.map((mac) => mac.slice(0, 20))).size).toBe(2);
  });

  const png = skinPng(77);
  test.each<[string, (entries: readonly Entry[]) => readonly Entry[] | Promise<readonly Entry[]>]>([
    ["a row of its database", (entries) => withDatabase(entries, "UPDATE accounts SET level = 3")],
    ["an operator's file", replaced("mail-templates/en.toml", Buffer.from("x"))],
    ["a default skin", replaced("default-skins/", png)],
    [
      "its sealed secrets",
      (entries) => replaced("secrets.sealed", entryOf(later, "secrets").content)(entries),
    ],
    ["a texture", replaced("textures/", png)],
    ["a file taken out", (entries) => entries.filter(({ name }) => !name.startsWith("mail-templates/"))],
    [
      "a file put in",
      (entries) =>
        entries.flatMap((entry) =>
          entry.name === "cloakroom.db"
            ? [{ name: "default-skins/slim.png", content: Buffer.from(png) }, entry]
            : [entry],
        ),
    ],
    ["the whole of another under its code", () => later],
  ])("one is refused that has changed in %s, though its manifest fits", async (_, change) => {
    const { mac } = manifestOf(authenticated);
    const changed = withFittingManifest(await change(authenticated), (manifest) => (manifest["mac"] = mac));
    await expectRefused(await restore(changed, { secret: passphrase }), notAuthentic);
  });

  test.each<[string, unknown]>([
    ["created", "2020-01-01T00:00:00.000Z"],
    ["program", "9.9.9"],
    ["schema", 2],
    ["mac", "AAAA"],
    ["mac", ""],
    ["mac", Buffer.alloc(48).toString("base64")],
  ])("one is refused whose manifest was changed in %s", async (field, value) => {
    const changed = withFittingManifest(authenticated, (manifest) => void (manifest[field] = value));
    await expectRefused(await restore(changed, { secret: passphrase }), notAuthentic);
  });

  test("another passphrase is refused", async () => {
    await expectRefused(await restore(authenticated, { secret: "correct horse batterz" }), notAuthentic);
  });

  test("one without a code is refused, taken out or never made, unless it is asked for", async () => {
    const stripped = withFittingManifest(authenticated, (manifest) => void delete manifest["mac"]);
    for (const entries of [stripped, plain]) {
      await expectRefused(await restore(entries, { secret: passphrase }), "--allow-unauthenticated");
      const flags = ["--allow-unauthenticated"];
      const { code, out } = await restore(entries, { secret: passphrase, flags });
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ authenticity: "none" });
    }
  });

  test("the flag takes no changed one that has a code", async () => {
    const changed = withFittingManifest(await withDatabase(authenticated, "UPDATE accounts SET level = 3"));
    const flags = ["--allow-unauthenticated"];
    await expectRefused(await restore(changed, { secret: passphrase, flags }), notAuthentic);
  });

  test("one of version 0.1 is taken when it is asked for: it counts textures without hashing them", async () => {
    const old = withFittingManifest(authenticated, (manifest) => {
      delete manifest["mac"];
      const textures: Record<string, unknown> = Object.assign({}, manifest["textures"]);
      delete textures["sha256"];
      manifest["textures"] = textures;
    });
    const flags = ["--allow-unauthenticated"];
    const { code, dataDir } = await restore(old, { secret: passphrase, flags });
    expect(code).toBe(0);
    // A backup names textures by their hashes alone.
    const files = Object.entries(await filesOf(full));
    const named = files.map(([name, sum]) => [name.replace(/\.[0-9a-f]{32}\.png$/, ".png"), sum]);
    expect(await filesOf(dataDir)).toEqual(Object.fromEntries(named));
  });
});

test("a texture that was changed together with its row is not what was put in", async () => {
  const texture = entryOf(plain, "textures/");
  const content = Buffer.from(skinPng(78));
  const changed = await withDatabase(
    plain.map((entry) => (entry === texture ? { ...entry, content } : entry)),
    `UPDATE textures SET digest = '${sha256(content)}' WHERE digest = '${sha256(texture.content)}'`,
  );
  expect((await restore(withFittingManifest(changed))).code).toBe(0);
  const { textures } = manifestOf(plain);
  const unfit = withFittingManifest(changed, (manifest) => {
    manifest["textures"] = { ...Object(manifest["textures"]), sha256: textures.sha256 };
  });
  await expectRefused(await restore(unfit), "its textures are not what was put in");
});

test("without the passphrase a restore says that changes of the backup were not looked for", async () => {
  const { code, out, error } = await restore(authenticated, { flags: ["--without-secrets"] });
  expect({ code, error }).toEqual({
    code: 0,
    error:
      "cloakroom: whether the backup was changed since it was made was not checked: that needs its passphrase\n",
  });
  expect(JSON.parse(out)).toMatchObject({ authenticity: "unchecked" });
});

test("a backup without a passphrase has no code, and is restored as ever", async () => {
  expect(manifestOf(plain).mac).toBeNull();
  const { code, out, error } = await restore(plain);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(JSON.parse(out)).toMatchObject({ authenticity: "none" });
});

describe("room on the disk", () => {
  const MiB = 1024 * 1024;

  test("is measured in whole blocks, and what is needed is named beside what is free", async () => {
    const room = await measureRoom({ space: async () => ({ free: 100 * MiB, size: 1000 * MiB }) });
    for (let file = 0; file < (36 * MiB) / 4096; file++) room.add(1);
    expect(() => room.refuseTooLittle()).not.toThrow();
    room.add(1);
    expect(() => room.refuseTooLittle()).toThrow(
      "unpacked it takes 36 MiB, and 64 MiB must stay free: 100 MiB are free on the data folder's disk",
    );
  });

  test("is not asked for where there is none", async () => {
    const room = await measureRoom({ space: async () => null });
    room.add(Number.MAX_SAFE_INTEGER);
    expect(() => room.refuseTooLittle()).not.toThrow();
  });

  test.skipIf(noDisk !== null)("is looked for before anything is unpacked or copied", async () => {
    await using disk = await mountSmallDisk(64 * MiB);
    const archive = newPath();
    await writeEntries(archive, plain);
    for (const source of [archive, full]) {
      const dataDir = join(disk.path, crypto.randomUUID());
      const { code, error } = await run(["restore", source, "--data-dir", dataDir]);
      expect({ code, error }).toEqual({
        code: 1,
        error: expect.stringMatching(
          /unpacked it takes [\d.]+ [KM]iB, and 64 MiB must stay free: [\d.]+ MiB are free/,
        ),
      });
      expect(await filesOf(dataDir)).toEqual({});
    }
  });

  test("ends the reading of an archive that no disk holds", async () => {
    const bomb = { name: "cloakroom.db", content: Buffer.alloc(0), claimedBytes: 2 ** 52 };
    const entries = plain.flatMap((entry) => (entry.name === "cloakroom.db" ? [bomb] : [entry]));
    await expectRefused(await restore(entries), "unpacked it takes at least 4096 TiB");
  });
});
