/**
 * A restore that is killed, or fails, between any two steps loses nothing of what comes in and of what was
 * there.
 */
import { afterAll, beforeEach, describe, expect, mock, test } from "bun:test";
import * as files from "node:fs/promises";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What happens instead of the next file operation, once so many were done. */
let left = Number.POSITIVE_INFINITY;
let instead: () => Promise<never> = () => Promise.reject(new Error("not set"));
const counted =
  <Args extends readonly unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    left-- > 0 ? act(...args) : instead();
const { rename, open, rm: remove, rmdir, mkdir, writeFile } = files;
await mock.module("node:fs/promises", () => ({
  ...files,
  rename: counted(rename),
  open: counted(open),
  rm: counted(remove),
  rmdir: counted(rmdir),
  mkdir: counted(mkdir),
  writeFile: counted(writeFile),
}));
const { finishSwap, isSwapInterrupted, swapIn } = await import("../../src/adapters/data-folder/swap.ts");

const folder = await mkdtemp(join(tmpdir(), "cloakroom-swap-"));
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => void (left = Number.POSITIVE_INFINITY));

const before = {
  "cloakroom.db": "old rows",
  "cloakroom.db-wal": "old log",
  "default-skins/classic.png": "old default",
  "secrets/jwt-secret": "old secret",
  "textures/ab/old.png": "old texture",
};
const incoming = {
  "cloakroom.db": "new rows",
  "mail-templates/en.toml": "new words",
  "secrets/jwt-secret": "new secret",
  "textures/ab/new.png": "new texture",
};
const aside = "before-restore-now";

async function makeFolders(): Promise<{ readonly dataDir: string; readonly source: string }> {
  const dataDir = await mkdtemp(join(folder, "data-"));
  const source = join(dataDir, "unpacking");
  for (const [name, text] of Object.entries(before)) await Bun.write(join(dataDir, name), text);
  for (const [name, text] of Object.entries(incoming)) await Bun.write(join(source, name), text);
  return { dataDir, source };
}

async function filesIn(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (one) => [one.slice(path.length + 1), await Bun.file(one).text()]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Both, each where it belongs, and nothing else. */
async function expectSwapped(dataDir: string): Promise<void> {
  const old = Object.entries(before).map(([name, text]) => [`${aside}/${name}`, text]);
  expect(await filesIn(dataDir)).toEqual({ ...incoming, ...Object.fromEntries(old) });
}

/** How many file operations a swap has. */
async function countSteps(): Promise<number> {
  const { dataDir, source } = await makeFolders();
  left = 1000;
  await swapIn(dataDir, source, join(dataDir, aside));
  const steps = 1000 - left;
  await expectSwapped(dataDir);
  expect(await readdir(dataDir)).not.toContain("restoring");
  return steps;
}
const steps = Array.from({ length: await countSteps() }, (_, step) => step);

const sayNo = (): Promise<never> => Promise.reject(new Error("the disk says no"));
const never = (): Promise<never> => new Promise<never>(() => {});

/** Resolves when the step has come at which everything stops. */
function stopAt(step: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  left = step;
  instead = () => {
    resolve();
    return never();
  };
  return promise;
}

describe.each(steps)("killed before step %d of a restore", (step) => {
  test("nothing has begun, or it can be finished, even if that is killed at any step as well", async () => {
    for (const second of steps) {
      const { dataDir, source } = await makeFolders();
      const stopped = stopAt(step);
      void swapIn(dataDir, source, join(dataDir, aside));
      await stopped;
      if (isSwapInterrupted(dataDir)) {
        const again = stopAt(second);
        await Promise.race([finishSwap(dataDir), again]);
      }
      left = Number.POSITIVE_INFINITY;
      if (isSwapInterrupted(dataDir)) expect(await finishSwap(dataDir)).toBe(join(dataDir, aside));
      const found = await filesIn(dataDir);
      if (found["cloakroom.db"] === "old rows") {
        expect(found).toMatchObject(before);
        continue;
      }
      for (const note of ["put-aside-in", "all-is-put-aside"]) delete found[`restoring/${note}`];
      const old = Object.entries(before).map(([name, text]) => [`${aside}/${name}`, text]);
      expect(found).toEqual({ ...incoming, ...Object.fromEntries(old) });
    }
  });
});

test.each(steps)("a restore whose step %d fails leaves everything as it was, or is done", async (step) => {
  const { dataDir, source } = await makeFolders();
  left = step;
  instead = () => {
    left = Number.POSITIVE_INFINITY;
    return sayNo();
  };
  const failure = await swapIn(dataDir, source, join(dataDir, aside)).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: "the disk says no" });
  const found = await filesIn(dataDir);
  if (found["cloakroom.db"] === "old rows") expect(found).toMatchObject(before);
  else expect(found).toMatchObject(incoming);
  left = Number.POSITIVE_INFINITY;
});

describe.each(steps)("a restore whose step %d fails", (step) => {
  test("is taken back, done, or can be finished, even if a step of taking it back fails as well", async () => {
    for (let second = 0; second < steps.length; second++) {
      const { dataDir, source } = await makeFolders();
      left = step;
      instead = () => {
        left = second;
        instead = () => {
          left = Number.POSITIVE_INFINITY;
          return sayNo();
        };
        return sayNo();
      };
      const failure = await swapIn(dataDir, source, join(dataDir, aside)).catch(String);
      left = Number.POSITIVE_INFINITY;
      expect(failure).toContain("the disk says no");
      // As its caller does.
      await rm(source, { recursive: true, force: true });
      if (isSwapInterrupted(dataDir)) {
        expect(await finishSwap(dataDir)).toBe(join(dataDir, aside));
        await expectSwapped(dataDir);
        continue;
      }
      const found = await filesIn(dataDir);
      const isBack = found["cloakroom.db"] === "old rows";
      expect(found).toMatchObject(isBack ? before : incoming);
    }
  });
});

test("what a restore left that was killed at its very end is no hindrance for the next", async () => {
  const { dataDir, source } = await makeFolders();
  await Bun.write(join(dataDir, "restoring/put-aside-in"), "before-restore-then");
  await swapIn(dataDir, source, join(dataDir, aside));
  await expectSwapped(dataDir);
});

test("what somebody else has put where a restore waits is not thrown away", async () => {
  const { dataDir, source } = await makeFolders();
  await Bun.write(join(dataDir, "restoring/mine.txt"), "mine");
  expect(swapIn(dataDir, source, join(dataDir, aside))).rejects.toThrow("move it away");
  expect(await filesIn(dataDir)).toMatchObject({ ...before, "restoring/mine.txt": "mine" });
});
