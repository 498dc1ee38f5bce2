import { expect, test } from "bun:test";
import { mkdir, readdir, rename, rm, stat, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openBlobFolder } from "../../src/adapters/blob-fs/blob-store.ts";
import { textureFolder } from "../../src/adapters/blob-fs/texture-folder.ts";
import { parseTextureFile, parseTextureHash } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { blobStoreSuite, listAll } from "./blob-store.suite.ts";

const hash = parseTextureHash("ab".repeat(32))!;
/** As earlier releases named it. */
const early = parseTextureFile(hash)!;

blobStoreSuite("files", async () => {
  const folder = await temporaryFolder();
  return {
    blobs: await openBlobFolder(folder.path),
    reopen: () => openBlobFolder(folder.path),
    count: async () => (await filesIn(folder.path)).length,
    plant: async (file, bytes) => {
      const path = join(folder.path, file.slice(0, 2), `${file}.png`);
      await mkdir(dirname(path), { recursive: true });
      await Bun.write(path, bytes);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test("a file is under the hash's first two digits, readable for its user only", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(join(folder.path, "textures"));
  const file = await blobs.put(hash, Uint8Array.of(1, 2, 3));
  expect(file).toMatch(new RegExp(`^${hash}\\.[0-9a-f]{32}$`));
  const path = join(folder.path, "textures", "ab", `${file}.png`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const parent of [join(folder.path, "textures"), join(folder.path, "textures", "ab")]) {
    expect((await stat(parent)).mode & 0o777).toBe(0o700);
  }
});

test("opening removes what a killed process left on its way, and only that", async () => {
  await using folder = await temporaryFolder();
  const staging = join(folder.path, "staging");
  await openBlobFolder(folder.path);
  const old = [`${hash}.${"0".repeat(32)}.png`, "left-by-a-killed-process", `${hash}.4711.held`];
  for (const name of [...old, "of-a-running-upload"]) await Bun.write(join(staging, name), "half a file");
  for (const name of old) await utimes(join(staging, name), 1, 1);
  await openBlobFolder(folder.path);
  expect(await filesIn(folder.path)).toEqual(["of-a-running-upload"]);
});

test("opening brings back what an earlier release was deleting when it was killed", async () => {
  await using folder = await temporaryFolder();
  await openBlobFolder(folder.path);
  const leaving = () => Bun.write(join(folder.path, "staging", `${hash}.4711.leaving`), Uint8Array.of(1));
  await leaving();
  const blobs = await openBlobFolder(folder.path);
  expect(await blobs.read(early)).toEqual(Uint8Array.of(1));
  await Bun.write(join(folder.path, "ab", `${hash}.png`), Uint8Array.of(2));
  await leaving();
  const again = await openBlobFolder(folder.path);
  expect(await again.read(early)).toEqual(Uint8Array.of(2));
  expect(await filesIn(folder.path)).toEqual([`${hash}.png`]);
});

test("what is half-written is listed, and goes when it is deleted", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  const file = await blobs.put(hash, Uint8Array.of(1));
  await rename(join(folder.path, "ab", `${file}.png`), join(folder.path, "staging", `${file}.png`));
  expect((await listAll(blobs)).map((one) => one.file)).toEqual([file]);
  expect(await blobs.read(file)).toBeNull();
  await blobs.delete(file);
  expect(await filesIn(folder.path)).toEqual([]);
});

test("opening does not mind files that others store while it looks for leftovers", async () => {
  await using folder = await temporaryFolder();
  await openBlobFolder(folder.path);
  // A link to nothing is listed and is not there when it is looked at, as a file that has just got its place.
  await symlink("nowhere", join(folder.path, "staging", "stored"));
  const reopened = await openBlobFolder(folder.path);
  const file = await reopened.put(hash, Uint8Array.of(1));
  expect(await reopened.read(file)).toEqual(Uint8Array.of(1));
});

test("a file that cannot be written leaves nothing on its way, and a probe says so", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  await rm(join(folder.path, "staging"), { recursive: true });
  const failed = await blobs.put(hash, Uint8Array.of(1)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(await blobs.probe().catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(await filesIn(folder.path)).toEqual([]);
});

test("a file that cannot get its place is removed", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(folder.path);
  // A file in the place of the folder.
  await Bun.write(join(folder.path, "ab"), "");
  const failed = await blobs.put(hash, Uint8Array.of(1)).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(await filesIn(folder.path)).toEqual(["ab"]);
});

test("a damaged file goes into quarantine", async () => {
  await using folder = await temporaryFolder();
  const blobs = await openBlobFolder(join(folder.path, "textures"));
  const textures = textureFolder(join(folder.path, "textures"), join(folder.path, "quarantine"));
  const file = await blobs.put(hash, Uint8Array.of(1));
  expect(await textures.quarantine(file)).toEndWith(`quarantine/${file}.png`);
  expect(await blobs.read(file)).toBeNull();
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
