import { expect, test } from "bun:test";
import { mkdir, readdir, rm, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { openBlobFolder } from "../../src/adapters/blob-fs/blob-store.ts";
import { textureFolder } from "../../src/adapters/blob-fs/texture-folder.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { blobStoreSuite } from "./blob-store.suite.ts";

const hash = parseTextureHash("ab".repeat(32))!;

blobStoreSuite("files", async () => {
  const folder = await temporaryFolder();
  return {
    blobs: await openBlobFolder(folder.path),
    reopen: () => openBlobFolder(folder.path),
    count: async () => (await filesIn(folder.path)).length,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test("a file is named by its hash under the hash's first two digits, readable for its user only", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(join(folder.path, "textures"));
  await using staged = await blobs.stage(Uint8Array.of(1, 2, 3));
  await staged.publish(hash);
  const path = join(folder.path, "textures", "ab", `${hash}.png`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const parent of [join(folder.path, "textures"), join(folder.path, "textures", "ab")]) {
    expect((await stat(parent)).mode & 0o777).toBe(0o700);
  }
});

test("opening removes what a killed process left on its way, and only that", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  await using fresh = await blobs.stage(Uint8Array.of(1));
  const old = join(folder.path, "staging", "left-by-a-killed-process");
  await Bun.write(old, "half a file");
  await utimes(old, 1, 1);
  const reopened = await openBlobFolder(folder.path);
  expect(await Bun.file(old).exists()).toBe(false);
  await fresh.publish(hash);
  expect(await reopened.read(hash)).toEqual(Uint8Array.of(1));
});

test("opening brings back what a killed process was deleting, unless it was published again", async () => {
  await using folder = await temporaryFolder();
  await openBlobFolder(folder.path);
  const leaving = () => Bun.write(join(folder.path, "staging", `${hash}.4711.leaving`), Uint8Array.of(1));
  await leaving();
  await mkdir(join(folder.path, "ab"));
  const blobs = await openBlobFolder(folder.path);
  expect(await blobs.read(hash)).toEqual(Uint8Array.of(1));
  {
    await using staged = await blobs.stage(Uint8Array.of(2));
    await staged.publish(hash);
  }
  await leaving();
  const again = await openBlobFolder(folder.path);
  expect(await again.read(hash)).toEqual(Uint8Array.of(2));
  expect(await filesIn(folder.path)).toEqual([`${hash}.png`]);
});

test("opening does not mind files that others publish while it looks for leftovers", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  // A link to nothing is listed and is not there when it is looked at, as a file that has just been published.
  await symlink("nowhere", join(folder.path, "staging", "published"));
  const reopened = await openBlobFolder(folder.path);
  await using staged = await reopened.stage(Uint8Array.of(1));
  await staged.publish(hash);
  expect(await blobs.has(hash)).toBe(true);
});

test("a file that cannot be written leaves nothing on its way and no promise", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  await rm(join(folder.path, "staging"), { recursive: true });
  const failed = await blobs.stage(Uint8Array.of(1)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(await filesIn(folder.path)).toEqual([]);
});

test("a file that cannot get its name is removed", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  // A folder in the file's place: nothing can be renamed onto it.
  await mkdir(join(folder.path, "ab", `${hash}.png`), { recursive: true });
  const work = async () => {
    await using staged = await blobs.stage(Uint8Array.of(1));
    await staged.publish(hash);
  };
  expect(await work().catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(await filesIn(folder.path)).toEqual([]);
  expect(await blobs.has(hash)).toBe(false);
});

test("a damaged file goes into quarantine, and one that was replaced meanwhile goes back", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(join(folder.path, "textures"));
  const textures = textureFolder(join(folder.path, "textures"), join(folder.path, "quarantine"));
  {
    await using staged = await blobs.stage(Uint8Array.of(1));
    await staged.publish(hash);
  }
  expect(await textures.quarantine(hash, () => false)).toBeNull();
  expect(await blobs.read(hash)).toEqual(Uint8Array.of(1));
  expect(await textures.quarantine(hash, ([first]) => first === 1)).toEndWith(`quarantine/${hash}.png`);
  expect(await blobs.has(hash)).toBe(false);
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
