/** Keys as files: `domain/ports/key-store.ts`. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keyFiles } from "../../src/adapters/data-folder/key-files.ts";
import type { KeyKind } from "../../src/domain/ports/key-store.ts";
import { limits } from "../../src/kernel/limits.ts";
import { temporaryFolder } from "../cli/run-program.ts";

let root: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
beforeEach(async () => {
  root = await temporaryFolder();
  folder = join(root.path, "secrets");
});
afterEach(() => root[Symbol.asyncDispose]());

const secret: KeyKind = {
  name: "some-secret",
  make: () => crypto.randomUUID(),
  isUsable: (text) => text.length === 36,
  loss: "nothing",
};
const privateKey: KeyKind = {
  name: "some-key",
  make: () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }),
  isUsable: (text) => text.startsWith("-----BEGIN PRIVATE KEY-----"),
  loss: "nothing",
};
const faultOf = (asked: Promise<unknown>) => asked.then(String, (cause: Error) => cause.message);

test.each([secret, privateKey])(
  "makes $name once, for its owner alone, and nothing beside it",
  async (kind) => {
    const keys = keyFiles(folder);
    expect(await keys.find(kind)).toBeNull();
    expect(await readdir(root.path)).toEqual([]);
    const { text, madeAt } = await keys.findOrMake(kind);
    expect(kind.isUsable(text)).toBe(true);
    const path = join(folder, kind.name);
    expect(madeAt).toBe(path);
    expect([(await stat(folder)).mode & 0o777, (await stat(path)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await keys.find(kind)).toBe(text);
    expect(await keyFiles(folder).findOrMake(kind)).toEqual({ text, madeAt: null });
    expect(await readdir(folder)).toEqual([kind.name]);
  },
);

test("keeps keys apart by their names", async () => {
  const keys = keyFiles(folder);
  const { text } = await keys.findOrMake(secret);
  const other = await keys.findOrMake({ ...secret, name: "other-secret" });
  expect(other.text).not.toBe(text);
  expect(await keys.find(secret)).toBe(text);
});

test("gives all who ask at once the same key", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => keyFiles(folder).findOrMake(secret)));
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect(await readdir(folder)).toEqual([secret.name]);
});

test.each<readonly [string, (path: string) => Promise<unknown>, RegExp]>([
  ["a folder", (path) => mkdir(path), /it is a folder/],
  ["a device", (path) => symlink("/dev/zero", path), /it is a device/],
  ["a pipe", async (path) => Bun.spawnSync(["mkfifo", path]), /it is a named pipe/],
  [
    "a file that is too large",
    (path) => writeFile(path, Buffer.alloc(limits.operatorFileBytesMax + 1)),
    /has \d+ bytes/,
  ],
  ["a damaged key", (path) => writeFile(path, "short"), /is damaged: delete it .*\(nothing\)$/],
  ["an empty file", (path) => writeFile(path, ""), /is damaged/],
])("refuses %s and leaves it as it is", async (_, place, reason) => {
  await mkdir(folder);
  const path = join(folder, secret.name);
  await place(path);
  const keys = keyFiles(folder);
  const faults = [await faultOf(keys.find(secret)), await faultOf(keys.findOrMake(secret))];
  for (const fault of faults) {
    expect(fault).toContain(path);
    expect(fault).toMatch(reason);
  }
  expect(await readdir(folder)).toEqual([secret.name]);
});

test("ignores white space around a key, and draws no conclusion from drafts", async () => {
  await mkdir(folder);
  await writeFile(join(folder, secret.name), `\n${"k".repeat(36)}\r\n`);
  await writeFile(join(folder, ".draft-1"), "cut off");
  expect((await keyFiles(folder).findOrMake(secret)).text).toBe("k".repeat(36));
  expect(await readFile(join(folder, ".draft-1"), "utf8")).toBe("cut off");
});
