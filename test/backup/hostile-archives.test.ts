import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../cli/run-program.ts";
import { entryOf, readEntries, withFittingManifest, writeEntries, type Entry } from "./archives.ts";
import { changeDatabase, filesOf, openDataFolder, rowsOf } from "./data-world.ts";

const { folder, dataDir, newPath } = await openDataFolder();
const archive = join(folder, "good");
await run(["backup", archive, "--data-dir", dataDir]);
const bytes = await Bun.file(archive).bytes();
const entries = await readEntries(archive);

const contents = async () => ({ rows: rowsOf(dataDir), files: await filesOf(dataDir) });
const before = await contents();

/**
 * Tries to restore the archive: it must be refused in words, and nothing may have changed, in or beside the
 * folder.
 */
async function expectRefused(path: string, reason: RegExp): Promise<void> {
  const { code, out, error } = await run(["restore", path, "--data-dir", dataDir]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(error).toMatch(reason);
  expect(error).not.toContain("internal fault");
  expect(await contents()).toEqual(before);
  expect(await Bun.file(join(folder, "evil")).exists()).toBe(false);
}

const content = Buffer.from("content");
const named = (name: string) => (entry: Entry) => entry.name.startsWith(name);
const without = (name: string) => entries.filter((entry) => !named(name)(entry));
const withBefore = (name: string, ...more: readonly Entry[]) =>
  entries.flatMap((entry) => (named(name)(entry) ? [...more, entry] : [entry]));
const changed = (name: string, change: (entry: Entry) => Partial<Entry>) =>
  entries.map((entry) => (entry === entryOf(entries, name) ? { ...entry, ...change(entry) } : entry));

/** The database with a statement run on it. */
async function changedDatabase(statement: string): Promise<Entry[]> {
  const path = newPath();
  await Bun.write(path, entryOf(entries, "cloakroom.db").content);
  changeDatabase(path, statement);
  changeDatabase(path, "PRAGMA journal_mode = DELETE");
  const content = await Bun.file(path).bytes();
  return changed("cloakroom.db", () => ({ content }));
}

/** The last bit turned. */
const flip = ({ content }: Entry) => {
  const copy = Buffer.from(content);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return { content: copy };
};

test.each([
  ["unchanged", 1024],
  ["filled up as tar does it", 20 * 512],
])("entries that are put together again %s are taken", async (_, endBytes) => {
  const path = newPath();
  await writeEntries(path, withFittingManifest(entries), Buffer.alloc(endBytes));
  const restored = newPath();
  expect((await run(["restore", path, "--data-dir", restored])).code).toBe(0);
  expect(rowsOf(restored)).toEqual(rowsOf(dataDir));
});

describe("a backup is refused that", () => {
  const cuts = [0, 1, 4, 100, 0.3, 0.6, 0.9];
  test.each(cuts)("is truncated at %d (of its bytes, or that part of them)", async (at) => {
    const path = newPath();
    await Bun.write(path, bytes.slice(0, at > 0 && at < 1 ? bytes.length * at : at));
    await expectRefused(path, /damaged|incomplete/);
  });

  test.each([1, 2, 5, 8, 300])("lacks its last %d bytes", async (count) => {
    const path = newPath();
    await Bun.write(path, bytes.slice(0, -count));
    await expectRefused(path, /damaged|incomplete/);
  });

  test.each([0, 1, 2, 3, 6, 9, 50, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999])(
    "has a flipped bit at %d",
    async (at) => {
      const path = newPath();
      const flipped = bytes.slice();
      const index = at > 0 && at < 1 ? Math.floor(bytes.length * at) : at;
      flipped[index] = (flipped[index] ?? 0) ^ 0x10;
      await Bun.write(path, flipped);
      await expectRefused(path, /./);
    },
  );

  test.each([
    ["is a text", Buffer.from("hello, I am no archive\n"), /not a backup/],
    ["is a compressed text", Bun.zstdCompressSync(Buffer.alloc(600, "x")), /header is damaged/],
    ["is compressed nothing", Bun.zstdCompressSync(Buffer.alloc(0)), /incomplete/],
    [
      "is compressed zeros without end",
      Bun.zstdCompressSync(Buffer.alloc(64 * 1024 * 1024)),
      /follows its end/,
    ],
  ] as const)("%s", async (_, bytes, reason) => {
    const path = newPath();
    await Bun.write(path, bytes);
    await expectRefused(path, reason);
  });

  test("is followed by another", async () => {
    const path = newPath();
    await Bun.write(path, Buffer.concat([bytes, bytes]));
    await expectRefused(path, /follows its end/);
  });

  const textureName = `textures/ab/ab${"0".repeat(62)}.png`;
  test.each<[string, Entry]>([
    ["a path that leads out", { name: "../evil", content }],
    ["an absolute path", { name: "/etc/evil", content }],
    ["a path that leads out of a kept folder", { name: "secrets/../../evil", content }],
    ["a hidden file", { name: "secrets/.evil", content }],
    ["a path with a backslash", { name: "secrets\\evil", content }],
    ["a texture under another's folder", { name: textureName.replace("/ab/", "/cd/"), content }],
    ["a texture of no such name", { name: "textures/ab/evil.png", content }],
    ["a file that no backup has", { name: "config.toml", content }],
    ["an empty name", { name: "", content }],
    ["a symbolic link", { name: "secrets/evil", content: Buffer.alloc(0), type: "2" }],
    ["a hard link", { name: "secrets/evil", content: Buffer.alloc(0), type: "1" }],
    ["a folder", { name: "secrets/evil", content: Buffer.alloc(0), type: "5" }],
    ["a device", { name: "secrets/evil", content: Buffer.alloc(0), type: "3" }],
    ["a header of extensions", { name: "secrets/evil", content, type: "x" }],
    ["a file that claims 8 GB", { name: "secrets/evil", content, claimedBytes: 8_000_000_000 }],
    ["a texture that claims 1 GB", { name: textureName, content, claimedBytes: 1_000_000_000 }],
    ["a database that claims 8 GB", { name: "cloakroom.db", content, claimedBytes: 8_000_000_000 }],
    ["a size of no number", { name: "secrets/evil", content, claimedBytes: Number.NaN }],
  ])("holds %s", async (_, entry) => {
    const path = newPath();
    await writeEntries(path, withFittingManifest(withBefore("manifest.json", entry)));
    await expectRefused(
      path,
      /no backup has|not a plain file|too large|incomplete|header is damaged|comes twice/,
    );
  });

  test.each<[string, () => readonly Entry[], RegExp]>([
    ["a kept file twice", () => withBefore("secrets/", entryOf(entries, "secrets/")), /comes twice/],
    ["a texture twice", () => withBefore("cloakroom.db", entryOf(entries, "textures/")), /comes twice/],
    [
      "the database twice",
      () => withBefore("manifest.json", entryOf(entries, "cloakroom.db")),
      /comes twice/,
    ],
    [
      "something after its manifest",
      () => [...entries, { name: "secrets/x", content }],
      /follows its manifest/,
    ],
    ["no mark", () => without("cloakroom-backup"), /not a backup of cloakroom/],
    [
      "no mark first",
      () => withBefore("cloakroom-backup", entryOf(entries, "secrets/")),
      /not a backup of cloakroom/,
    ],
    [
      "a mark of somebody else's",
      () => changed("cloakroom-backup", () => ({ content })),
      /not a backup of cloakroom/,
    ],
    [
      "a texture too many",
      () => withBefore("cloakroom.db", { name: `textures/ff/${"f".repeat(64)}.png`, content }),
      /not those/,
    ],
    ["a texture too few", () => without(entryOf(entries, "textures/").name), /not those/],
    ["a texture of other bytes", () => changed("textures/", () => ({ content })), /not those/],
    ["no sound database", () => changed("cloakroom.db", () => ({ content })), /database cannot be read/],
  ])("has %s", async (_, make, reason) => {
    const path = newPath();
    await writeEntries(path, withFittingManifest(make()));
    await expectRefused(path, reason);
  });

  test.each(["secrets/", "textures/", "cloakroom.db", "default-skins/"])(
    "has other bytes in %s than its manifest says",
    async (name) => {
      const path = newPath();
      await writeEntries(path, changed(name, flip));
      await expectRefused(path, /not what was put in|not those/);
    },
  );

  test.each(["manifest.json", "cloakroom.db"])("has no %s", async (name) => {
    const path = newPath();
    await writeEntries(path, without(name));
    await expectRefused(path, /manifest is missing|database is not what/);
  });

  test.each<[string, string, RegExp]>([
    ["a row without its file", "UPDATE textures SET digest = 'x'", /not those/],
    ["broken references", "PRAGMA foreign_keys = OFF; DELETE FROM accounts", /database is damaged: a row of/],
    ["a version that its schema is not of", "PRAGMA user_version = 3", /schema was changed: the table/],
  ])("has a database with %s", async (_, statement, reason) => {
    const path = newPath();
    await writeEntries(path, withFittingManifest(await changedDatabase(statement)));
    await expectRefused(path, reason);
  });

  test("says another version of its database than that has", async () => {
    const path = newPath();
    await writeEntries(
      path,
      withFittingManifest(entries, (manifest) => void (manifest["schema"] = 3)),
    );
    await expectRefused(path, /another version than it says/);
  });

  test("is of a newer program, by its form or by its database", async () => {
    const path = newPath();
    const newer = Buffer.from("cloakroom backup 2\n");
    await writeEntries(
      path,
      changed("cloakroom-backup", () => ({ content: newer })),
    );
    await expectRefused(path, /made by a newer version \(format 2\): install that version/);
    const later = await changedDatabase("PRAGMA user_version = 99");
    await writeEntries(
      path,
      withFittingManifest(later, (manifest) => void (manifest["schema"] = 99)),
    );
    await expectRefused(path, /made by a newer version \(schema 99/);
  });

  test.each<[string, unknown]>([
    ["schema", "4"],
    ["textures", null],
    ["database", { bytes: -1, sha256: "" }],
    ["files", [1]],
    ["created", 5],
  ])("says nonsense of %s in its manifest", async (field, value) => {
    const path = newPath();
    await writeEntries(
      path,
      withFittingManifest(entries, (manifest) => void (manifest[field] = value)),
    );
    await expectRefused(path, /manifest is malformed/);
  });

  test("has something else than zeros between its entries, or after its end", async () => {
    const path = newPath();
    await writeEntries(path, entries, Buffer.alloc(128 * 1024));
    await expectRefused(path, /follows its end/);
    await writeEntries(path, entries, Buffer.concat([Buffer.alloc(2048), Buffer.from("x")]));
    await expectRefused(path, /follows its end/);
    const tar = Buffer.from(await Bun.zstdDecompress(bytes));
    // The mark's content has 19 bytes; the rest of its block is filled up.
    tar[512 + 300] = 1;
    await Bun.write(path, Bun.zstdCompressSync(tar));
    await expectRefused(path, /damaged between two entries/);
  });
});
