/** Whatever a command was given beside it, a data folder that cannot be used is named, and not that. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, chown, cp } from "node:fs/promises";
import { join } from "node:path";
import { filesOf, texturesOf } from "../backup/data-world.ts";
import { asSomebody, isRoot, nobody, noSomebody } from "../support/somebody.ts";
import { skinPng } from "../support/textures.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;
let archive: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  archive = join(folder.path, "archive");
  await run(["user", "create", "--mail", "a@example.org", "--data-dir", full]);
  await run(["backup", archive, "--data-dir", full]);
});
afterAll(() => folder[Symbol.asyncDispose]());

const commands: readonly (readonly [string, () => readonly string[]])[] = [
  ["user list", () => ["user", "list"]],
  ["migrate", () => ["migrate"]],
  ["restore", () => ["restore", archive]],
];

describe("a data folder that is a file is named by", () => {
  test.each([...commands, ["serve", () => ["serve", "--port", "0"]] as const])("%s", async (_, args) => {
    const dataDir = join(folder.path, "file");
    await Bun.write(dataDir, "");
    expect(await run([...args(), "--data-dir", dataDir])).toEqual({
      code: 1,
      out: "",
      error: `cloakroom: the data folder ${dataDir} cannot be used: there is a file of that name\n`,
    });
  });
});

describe.skipIf(noSomebody !== null)("a data folder that may not be written is named by", () => {
  test.each([
    ...commands,
    ["serve", () => ["serve", "--port", "0"]] as const,
    ["fsck --mend --from", () => ["fsck", "--mend", "--from", archive]] as const,
  ])("%s", async (_, args) => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await cp(full, dataDir, { recursive: true });
    const database = join(dataDir, "cloakroom.db");
    const label = join(dataDir, "textures/cloakroom-place.json");
    if (isRoot) for (const path of [folder.path, dataDir, database, label]) await chown(path, nobody, nobody);
    // While somebody has it open it can be read in a folder that may not be written.
    using other = new Database(database);
    other.run("PRAGMA user_version");
    await chmod(dataDir, 0o500);
    const { code, out, error } = await runAsSomebody(...args(), "--data-dir", dataDir);
    await chmod(dataDir, 0o700);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toStartWith(`cloakroom: the data folder ${dataDir} cannot be used: `);
    expect(error).toContain("check who owns");
  });
});

/** Runs the program as somebody who is not root. */
async function runAsSomebody(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await Bun.$`${asSomebody} ${program} ${args}`
    .env({ PATH: process.env["PATH"] ?? "" })
    .nothrow()
    .quiet();
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
}

test.skipIf(noSomebody !== null)(
  "a texture that cannot be read is named, and keeps no other out",
  async () => {
    const dataDir = join(folder.path, crypto.randomUUID());
    await run(["user", "create", "--mail", "a@example.org", "--username", "Anna", "--data-dir", dataDir]);
    for (const [index, png] of [skinPng(1), skinPng(2)].entries()) {
      const file = join(folder.path, `${index}.png`);
      await Bun.write(file, png);
      await run(["skin", "add", "--user", "Anna", "--file", file, "--data-dir", dataDir]);
    }
    const [unreadable = ""] = await texturesOf(dataDir);
    if (isRoot) await Bun.$`chown -R ${nobody}:${nobody} ${folder.path}`.quiet();
    await chmod(unreadable, 0);

    const checked = await runAsSomebody("fsck", "--mend", "--json", "--data-dir", dataDir);
    expect({ code: checked.code, report: JSON.parse(checked.out) }).toMatchObject({
      code: 1,
      report: { checked: 2, faults: [{ kind: "unreadable", mended: null }] },
    });
    const place = join(folder.path, "lossy");
    const made = await runAsSomebody("backup", place, "--json", "--data-dir", dataDir);
    expect({ code: made.code, report: JSON.parse(made.out) }).toMatchObject({
      code: 0,
      report: { textures: 1, textures_lost: 1 },
    });
  },
);

test.skipIf(!isRoot)("root is refused in a folder of somebody else's, and leaves nothing in it", async () => {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(full, dataDir, { recursive: true });
  await Bun.$`chown -R ${nobody}:${nobody} ${dataDir}`.quiet();
  const before = await filesOf(dataDir);
  for (const args of [["user", "create", "--mail", "b@example.org"], ["restore", archive], ["serve"]]) {
    const { code, error } = await run([...args, "--data-dir", dataDir]);
    expect({ code, error }).toEqual({
      code: 1,
      error: expect.stringContaining(`${dataDir} belongs to user ${nobody},`),
    });
  }
  expect(await filesOf(dataDir)).toEqual(before);
  // Looking leaves nothing behind.
  expect((await run(["fsck", "--data-dir", dataDir])).code).toBe(0);
});
