import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { filesOf, makeData, rowsOf, texturesOf } from "../backup/data-world.ts";
import { textureFile } from "../support/textures.ts";
import { run, temporaryFolder } from "./run-program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
let full: string;
let archive: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  archive = join(folder.path, "archive");
  await makeData(full);
  await run(["backup", archive, "--data-dir", full]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const orphan = `textures/00/${"0".repeat(64)}.png`;

/** Writes a file that was last changed two hours ago. */
async function writeOld(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await Bun.write(path, "left behind");
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(path, then, then);
}

/**
 * A data folder with one of each: a missing file, a damaged one, one without a row, a leftover, and a
 * stranger.
 */
async function damagedData() {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(full, dataDir, { recursive: true });
  const [missing = "", damaged = ""] = await texturesOf(dataDir);
  await rm(missing);
  await Bun.write(damaged, "not what it was");
  await writeOld(join(dataDir, orphan));
  await writeOld(join(dataDir, "textures/staging/half"));
  await Bun.write(join(dataDir, "textures/note.txt"), "mine");
  return { dataDir, missing, damaged };
}

type Fault = { kind: string; file: string; uses: number; mended: string | null };

async function fsck(dataDir: string, ...args: readonly string[]) {
  const { code, out, error } = await run(["fsck", "--json", "--data-dir", dataDir, ...args]);
  const { checked, faults } = JSON.parse(out) as { checked: number; faults: Fault[] };
  const kinds = faults.map(({ kind, mended }) => `${kind}: ${mended}`).toSorted();
  return { code, error, checked, faults, kinds };
}

const notInOrder = `${JSON.stringify({
  error: { code: "internal", field: null, msg: "4 files are not in order" },
})}\n`;

describe("fsck", () => {
  test("finds nothing wrong where nothing is", async () => {
    expect(await fsck(full)).toEqual({ code: 0, error: "", checked: 4, faults: [], kinds: [] });
  });

  test("removes the beginning of a label that a killed process left, as it does other leftovers", async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    await writeOld(join(dataDir, `textures/.cloakroom-place.json-${crypto.randomUUID()}`));
    expect(await fsck(dataDir, "--mend")).toMatchObject({ kinds: ["leftover: removed"] });
    expect(await fsck(dataDir)).toMatchObject({ code: 0, kinds: [] });
  });

  test("names every fault with what shows it, changes nothing, and ends with 1", async () => {
    const { dataDir, missing, damaged } = await damagedData();
    const before = await filesOf(dataDir);
    const found = await fsck(dataDir);
    expect(found).toMatchObject({ code: 1, error: notInOrder, checked: 4 });
    const pathOf = (path: string) => path.slice(join(dataDir, "textures/").length);
    expect(found.faults).toEqual(
      expect.arrayContaining([
        { kind: "missing", file: pathOf(missing), uses: 1, mended: null },
        { kind: "damaged", file: pathOf(damaged), uses: 1, mended: null },
        { kind: "orphan", file: orphan.slice("textures/".length), uses: 0, mended: null },
        { kind: "leftover", file: "staging/half", uses: 0, mended: null },
        { kind: "stranger", file: "note.txt", uses: 0, mended: null },
      ]),
    );
    expect(found.faults).toHaveLength(5);
    expect(await filesOf(dataDir)).toEqual(before);
  });

  test("says in words what can be done", async () => {
    const { dataDir } = await damagedData();
    const { out } = await run(["fsck", "--data-dir", dataDir]);
    expect(out).toMatch(
      /^missing +textures\/\S+ \(skins and capes: 1\): has a row and no file; upload it again/m,
    );
    expect(out).toMatch(/^4 textures checked, 5 findings$/m);
  });

  test("leaves files of running uploads alone", async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    for (const path of [orphan, "textures/staging/half"]) {
      await mkdir(dirname(join(dataDir, path)), { recursive: true });
      await Bun.write(join(dataDir, path), "on its way");
    }
    expect(await fsck(dataDir, "--mend")).toMatchObject({ code: 0, faults: [] });
    expect(Object.keys(await filesOf(dataDir))).toEqual(
      expect.arrayContaining([orphan, "textures/staging/half"]),
    );
  });

  test("--mend removes unused files, moves damaged ones away, and keeps every row", async () => {
    const { dataDir, damaged } = await damagedData();
    const rows = rowsOf(dataDir);
    const found = await fsck(dataDir, "--mend");
    const aside = join(dataDir, "damaged-textures", basename(damaged));
    expect(found.code).toBe(1);
    expect(found.kinds).toEqual([
      `damaged: moved to ${aside}`,
      "leftover: removed",
      "missing: null",
      "orphan: removed",
      "stranger: null",
    ]);
    expect(rowsOf(dataDir)).toEqual(rows);
    expect(await Bun.file(aside).text()).toBe("not what it was");
    expect((await fsck(dataDir)).kinds).toEqual(["missing: null", "missing: null", "stranger: null"]);
  });

  test("--mend removes rows that neither skin nor cape shows", async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    using database = new Database(join(dataDir, "cloakroom.db"));
    const rows = database.query("SELECT * FROM textures").all();
    database.run("INSERT INTO textures VALUES (?1, ?1, 64, 64, 1, ?1)", ["0".repeat(64)]);
    expect((await fsck(dataDir, "--mend")).kinds).toEqual(["missing: null"]);
    expect(await fsck(dataDir)).toMatchObject({ code: 0, faults: [] });
    expect(database.query("SELECT * FROM textures").all()).toEqual(rows);
  });

  test("--mend --from a backup brings lost files back", async () => {
    const { dataDir, missing, damaged } = await damagedData();
    const found = await fsck(dataDir, "--mend", "--from", archive);
    expect(found.code).toBe(0);
    expect(found.kinds.filter((kind) => kind.endsWith("brought back"))).toHaveLength(2);
    expect((await fsck(dataDir)).kinds).toEqual(["stranger: null"]);
    for (const path of [missing, damaged]) {
      // Under a name of their own.
      const hash = basename(path).slice(0, 64);
      const [before, now] = [await textureFile(full, hash), await textureFile(dataDir, hash)];
      expect(basename(now)).not.toBe(basename(before));
      expect(await Bun.file(now).bytes()).toEqual(await Bun.file(before).bytes());
    }
  });

  test.each([
    [["--from", "x"], 2, "--from goes with --mend"],
    [["--mend", "--from", "nowhere"], 1, "no such file or folder"],
  ])("with %j is refused", async (args, code, reason) => {
    const { dataDir } = await damagedData();
    const outcome = await run(["fsck", "--data-dir", dataDir, ...args]);
    expect(outcome.code).toBe(code);
    expect(outcome.error).toContain(reason);
  });

  test("--mend --from a backup brings back what cannot be read", async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    const [path = ""] = await texturesOf(dataDir);
    await rm(path);
    await mkdir(path);
    const found = await fsck(dataDir, "--mend", "--from", archive);
    expect({ code: found.code, kinds: found.kinds }).toEqual({
      code: 0,
      kinds: ["unreadable: brought back"],
    });
    expect(await fsck(dataDir)).toMatchObject({ code: 0, checked: 4, faults: [] });
  });

  test("with --from names the data folder where that is at fault, not the backup", async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    const [path = ""] = await texturesOf(dataDir);
    await rm(dirname(path), { recursive: true });
    await Bun.write(dirname(path), "no folder");
    const { code, error } = await run(["fsck", "--mend", "--from", archive, "--data-dir", dataDir]);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(dataDir) });
    expect(error).not.toContain(archive);
  });

  test("of a folder without a database is refused, and makes nothing", async () => {
    const { code, error } = await run(["fsck", "--data-dir", join(folder.path, "nothing")]);
    expect(code).toBe(1);
    expect(error).toContain("holds no database");
    expect(await filesOf(join(folder.path, "nothing")).catch(() => null)).toBeNull();
  });
});
