/**
 * Where a file should be: a pipe without a writer, a device without end, a folder, and a file that
 * is larger than any memory. Every command that reads it ends, and says what it is.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, rm, symlink, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filesOf, makeData, texturesOf } from "../backup/data-world.ts";
import { makeCertificate } from "../support/certificates.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;
let skin: string;
let certificate: Awaited<ReturnType<typeof makeCertificate>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
  skin = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
  certificate = await makeCertificate(folder.path, "served");
});
afterAll(() => folder[Symbol.asyncDispose]());

const newPath = () => join(folder.path, crypto.randomUUID());

async function copyOfData(): Promise<string> {
  const dataDir = newPath();
  await cp(full, dataDir, { recursive: true });
  return dataDir;
}

/** Puts one to the path, in place of what is there. The words are those that it is refused with. */
type Odd = { readonly put: (path: string) => Promise<unknown>; readonly words: RegExp };

const odds: Readonly<Record<string, Odd>> = {
  "a pipe": { put: (path) => Bun.$`mkfifo ${path}`.quiet(), words: /it is a named pipe, not a plain file/ },
  "a device": { put: (path) => symlink("/dev/zero", path), words: /it is a device, not a plain file/ },
  "a folder": {
    put: (path) => mkdir(path),
    words: /it is a folder|is a file|disk I\/O error|cannot be opened/,
  },
  "a file without end": {
    put: async (path) => {
      await Bun.write(path, "");
      await truncate(path, 2 ** 40);
    },
    words:
      /has 1099511627776 bytes; at most \d+ are allowed|it is damaged|no database|not a database|is no backup/,
  },
};
const kinds = Object.keys(odds);

async function putOdd(kind: string, path: string): Promise<RegExp> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await odds[kind]?.put(path);
  return odds[kind]?.words ?? /never/;
}

/** Commands to which the operator names the file. */
const named: Readonly<Record<string, (odd: string) => readonly string[]>> = {
  "--config": (odd) => ["user", "list", "--config", odd],
  restore: (odd) => ["restore", odd],
  "fsck --from": (odd) => ["fsck", "--mend", "--from", odd],
  backup: (odd) => ["backup", odd],
  render: (odd) => renderOf(odd),
  "render --cape": (odd) => [...renderOf(skin, "cape"), "--cape", odd],
  "skin add": (odd) => ["skin", "add", "--user", "Anna", "--file", odd],
  "cape add": (odd) => ["cape", "add", "--name", "Moon", "--file", odd],
  "serve --tls-cert": (odd) => ["serve", "--port", "0", "--tls-cert", odd, "--tls-key", certificate.keyFile],
  "serve --tls-key": (odd) => ["serve", "--port", "0", "--tls-cert", certificate.certFile, "--tls-key", odd],
  "doctor --tls-cert": (odd) => ["doctor", "--tls-cert", odd, "--tls-key", certificate.keyFile],
};

const renderOf = (file: string, view = "head") =>
  ["render", file, "--view", view, "--type", "player", "--size", "64", "--out", newPath()] as const;

/** A backup of what a folder holds is asked for by its path, and one may be put over an older one. */
const fine: Readonly<Record<string, readonly string[]>> = {
  restore: ["a folder"],
  backup: ["a file without end"],
};

describe.skipIf(Bun.which("mkfifo") === null)("a file that an operator names", () => {
  const cases = Object.keys(named).flatMap((command) =>
    kinds.filter((kind) => !fine[command]?.includes(kind)).map((kind) => [command, kind] as const),
  );

  test.each(cases)("to %s and that is %s is refused", async (command, kind) => {
    const dataDir = await copyOfData();
    const before = await filesOf(dataDir);
    const odd = newPath();
    const words = await putOdd(kind, odd);
    const args = named[command]?.(odd) ?? [];
    const { code, out, error } = await run([
      ...args,
      ...(args[0] === "render" ? [] : ["--data-dir", dataDir]),
    ]);
    expect(code).toBeGreaterThan(0);
    expect(out + error).toMatch(words);
    expect(out + error).toContain(odd);
    expect(error).not.toContain("internal fault");
    expect(await filesOf(dataDir)).toEqual(before);
  });
});

/** Files of the data folder, and what is done with it: refused, or done without it. */
const kept: readonly (readonly [string, readonly string[], "refused" | "done"])[] = [
  ["secrets/jwt-secret", ["doctor"], "refused"],
  ["secrets/jwt-secret", ["serve", "--port", "0"], "refused"],
  ["secrets/jwt-secret", ["backup", "FILE"], "done"],
  ["default-skins/classic.png", ["doctor"], "refused"],
  ["default-skins/classic.png", ["user", "list"], "refused"],
  ["default-skins/classic.png", ["backup", "FILE"], "done"],
  ["mail-templates/en.toml", ["doctor"], "refused"],
  ["mail-templates/en.toml", ["mail", "texts", "en"], "refused"],
  ["mail-templates/en.toml", ["backup", "FILE"], "done"],
  ["cloakroom.db", ["doctor"], "refused"],
  ["cloakroom.db", ["user", "list"], "refused"],
  ["cloakroom.db", ["fsck"], "refused"],
  ["cloakroom.db", ["backup", "FILE"], "refused"],
  ["lock", ["user", "list"], "refused"],
  ["lock", ["doctor"], "refused"],
  ["backups/cloakroom-2020-01-01T00-00-00Z.tar.zst", ["doctor", "--backup-schedule", "@daily"], "refused"],
];

describe.skipIf(Bun.which("mkfifo") === null)("in a data folder", () => {
  const cases = kept.flatMap(([file, args, outcome]) =>
    kinds.map((kind) => [file, kind, args, outcome] as const),
  );

  test.each(cases)("%s that is %s: %j is %s", async (file, kind, args, outcome) => {
    const dataDir = await copyOfData();
    const path = join(dataDir, file);
    const words = await putOdd(kind, path);
    const whole = args.map((one) => (one === "FILE" ? newPath() : one));
    const { code, out, error } = await run([...whole, "--data-dir", dataDir]);
    expect({ code }).toEqual({ code: outcome === "done" ? 0 : expect.any(Number) });
    if (outcome === "done") return expect(error).toContain(`not in the backup: ${file}`);
    expect(out + error).toMatch(words);
    expect(error).not.toContain("internal fault");
  });

  // SQLite opens these by itself. A journal of zeros means nothing to it, so the endless file is never read.
  const beside = ["-journal", "-wal", "-shm"].flatMap((end) =>
    kinds.slice(0, 3).map((kind) => [end, kind] as const),
  );

  test.each(beside)("cloakroom.db%s that is %s is refused by doctor and commands", async (end, kind) => {
    const dataDir = await copyOfData();
    const words = await putOdd(kind, join(dataDir, `cloakroom.db${end}`));
    for (const args of [["doctor"], ["user", "list"], ["fsck"], ["backup", newPath()]]) {
      const { code, out, error } = await run([...args, "--data-dir", dataDir]);
      expect(code).toBe(1);
      expect(out + error).toMatch(words);
    }
  });

  test.each(kinds)(
    "a texture that is %s counts as lost, for doctor, fsck, backup and restore",
    async (kind) => {
      const dataDir = await copyOfData();
      const [path = ""] = await texturesOf(dataDir);
      await putOdd(kind, path);
      const ask = (...args: readonly string[]) => run([...args, "--json", "--data-dir", dataDir]);
      const { findings } = JSON.parse((await ask("doctor", "--port", "0")).out);
      expect(findings).toContainEqual(
        expect.objectContaining({
          message: expect.stringContaining("1 of 4 textures are missing or damaged"),
        }),
      );
      expect(JSON.parse((await ask("fsck")).out).faults).toEqual([
        expect.objectContaining({ kind: "unreadable" }),
      ]);
      const archive = newPath();
      expect(JSON.parse((await ask("backup", archive)).out)).toMatchObject({ textures: 3, textures_lost: 1 });
      for (const source of kind === "a file without end" ? [archive] : [archive, dataDir]) {
        const { code, out } = await run(["restore", source, "--json", "--data-dir", newPath()]);
        expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, textures: 3, textures_lost: 1 });
      }
    },
  );
});
