import { expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTarGz } from "../../tools/archive.ts";

const time = new Date("2026-11-20T12:00:00Z");
const sizes = [0, 1, 511, 512, 513, 100_000];
const files = sizes.map((size) => ({
  path: `folder/${size}.bin`,
  bytes: new Uint8Array(size).fill(size % 251),
}));

test("what goes in comes out again, whatever its length", async () => {
  const entries = await new Bun.Archive(writeTarGz(files, time)).files();
  expect(entries.size).toBe(files.length);
  for (const { path, bytes } of files) expect(await entries.get(path)?.bytes()).toEqual(bytes);
});

test("the system's tar makes the program executable and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-archive-"));
  try {
    const program = { path: "program", bytes: new Uint8Array(3), executable: true };
    await Bun.write(
      join(folder, "a.tar.gz"),
      writeTarGz([program, { path: "text", bytes: new Uint8Array(3) }], time),
    );
    const unpacked = Bun.spawnSync(["tar", "-xzf", "a.tar.gz"], { cwd: folder });
    expect(unpacked.success).toBe(true);
    const modes = await Promise.all(
      ["program", "text"].map(async (name) => (await stat(join(folder, name))).mode),
    );
    expect(modes.map((mode) => (mode & 0o100) !== 0)).toEqual([true, false]);
    expect((await stat(join(folder, "program"))).mtime).toEqual(time);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("equal files and times give equal bytes", () => {
  expect(writeTarGz(files, time)).toEqual(writeTarGz(files, new Date(time)));
  expect(writeTarGz(files, time)).not.toEqual(writeTarGz(files, new Date(0)));
});

test.each(["", "a b", "x".repeat(101), "käse"])("refuses the path %p", (path) => {
  expect(() => writeTarGz([{ path, bytes: new Uint8Array() }], time)).toThrow("does not fit");
});
