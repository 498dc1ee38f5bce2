import { afterAll, beforeAll, expect, test } from "bun:test";
import { link, mkdir, readdir, readlink, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { makeData } from "../backup/data-world.ts";
import { run, temporaryFolder, type Outcome } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, "data");
  await makeData(dataDir);
});
afterAll(() => folder[Symbol.asyncDispose]());

const backUp = (...args: readonly string[]) => run(["backup", ...args, "--data-dir", dataDir]);
const conflict = (path: string): Outcome => ({
  code: 1,
  out: "",
  error: `cloakroom: ${path} is there already: give another name, or --replace to replace it\n`,
});

/** A folder of its own, so that a test sees everything that is left in it. */
async function newPlace(): Promise<string> {
  const place = join(folder.path, crypto.randomUUID());
  await mkdir(place);
  return place;
}

async function isWhole(path: string): Promise<boolean> {
  const restored = join(folder.path, crypto.randomUUID());
  return (await run(["restore", path, "--data-dir", restored])).code === 0;
}

const old = Bun.zstdCompressSync("an old backup");

test.each([
  ["a backup", old],
  ["an empty file", new Uint8Array()],
])("%s is replaced with --replace alone, and nothing is left beside it", async (_, content) => {
  const place = await newPlace();
  const path = join(place, "b.tar.zst");
  await Bun.write(path, content);
  expect(await backUp(path)).toEqual(conflict(path));
  expect(await Bun.file(path).bytes()).toEqual(new Uint8Array(content));
  expect(await backUp(path, "--replace")).toMatchObject({ code: 0, error: "" });
  expect(await readdir(place)).toEqual(["b.tar.zst"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await isWhole(path)).toBe(true);
});

test("--replace makes a file that is not there yet, and needs a name", async () => {
  const path = join(await newPlace(), "b.tar.zst");
  expect(await backUp(path, "--replace")).toMatchObject({ code: 0, error: "" });
  const { code, error } = await backUp("--replace");
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining("--replace needs FILE") });
});

test("the old backup stays as it is until the new one is complete", async () => {
  const place = await newPlace();
  const path = join(place, "b.tar.zst");
  await Bun.write(path, old);
  const kept = join(folder.path, crypto.randomUUID());
  await link(path, kept);
  expect((await backUp(path, "--replace")).code).toBe(0);
  // What had it open goes on reading the old one.
  expect(await Bun.file(kept).bytes()).toEqual(new Uint8Array(old));
});

test("a link stays, and the backup that it leads to is replaced", async () => {
  const [place, elsewhere] = [await newPlace(), await newPlace()];
  const [path, target] = [join(place, "latest"), join(elsewhere, "b.tar.zst")];
  await Bun.write(target, old);
  await symlink(target, path);
  expect(await backUp(path)).toEqual(conflict(path));
  expect(await backUp(path, "--replace")).toMatchObject({ code: 0 });
  expect(await readlink(path)).toBe(target);
  expect([await readdir(place), await readdir(elsewhere)]).toEqual([["latest"], ["b.tar.zst"]]);
  expect(await isWhole(target)).toBe(true);
});

test.each([[[]], [["--replace"]]])("what is no backup is refused: %j", async (replace) => {
  const place = await newPlace();
  const at = (name: string) => join(place, name);
  await mkdir(at("folder"));
  await Bun.write(at("text"), "a text");
  await symlink(at("nowhere"), at("link"));
  await Bun.spawn(["mkfifo", at("pipe")]).exited;
  const before = (await readdir(place)).toSorted();
  for (const [name, reason] of [
    ["folder", "it is a folder"],
    ["text", "is there already and is no backup; nothing was written to it"],
    ["link", "is a link that leads nowhere; nothing was written"],
    ["pipe", "it is a named pipe, not a plain file"],
  ] as const) {
    const { code, error } = await backUp(at(name), ...replace);
    expect({ name, code, error }).toEqual({ name, code: 1, error: expect.stringContaining(reason) });
  }
  expect((await readdir(place)).toSorted()).toEqual(before);
  expect(await Bun.file(at("text")).text()).toBe("a text");
});

test("standard output is refused, and no file is made that is called like it", async () => {
  const { code, error } = await backUp("-");
  expect({ code, error }).toEqual({
    code: 2,
    error: expect.stringContaining('<file> is "-": must be a file'),
  });
});

test("of two that are made at once under one name one comes to be, and the other says so", async () => {
  const place = await newPlace();
  const path = join(place, "b.tar.zst");
  const made = await Promise.all([backUp(path), backUp(path)]);
  const codes = made.map(({ code }) => code);
  expect(codes.toSorted((one, other) => one - other)).toEqual([0, 1]);
  expect(made[codes.indexOf(1)]).toEqual(conflict(path));
  expect(await readdir(place)).toEqual(["b.tar.zst"]);
  expect(await isWhole(path)).toBe(true);

  const again = await Promise.all([backUp(path, "--replace"), backUp(path, "--replace")]);
  expect(again.map(({ code }) => code)).toEqual([0, 0]);
  expect(await readdir(place)).toEqual(["b.tar.zst"]);
  expect(await isWhole(path)).toBe(true);
});
