/** What doctor finds before a start, a backup or a restore finds it, and the remedy that those would name. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { takeFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { filesOf, makeData, texturesOf } from "../backup/data-world.ts";
import { asSomebody, isRoot, nobody, noSomebody } from "../support/somebody.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Finding = { check: string; state: string; message: string; remedy: string | null };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  if (isRoot) await chmod(folder.path, 0o755);
  full = join(folder.path, "full");
  await makeData(full);
  for (const path of [full, join(full, "secrets")]) await chmod(path, 0o700);
  await chmod(join(full, "secrets/jwt-secret"), 0o600);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function copyOfData(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(full, dataDir, { recursive: true });
  return dataDir;
}

async function copyWithUnpacked(): Promise<string> {
  const dataDir = await copyOfData();
  await mkdir(join(dataDir, "unpacking"));
  return dataDir;
}

const daily = { BACKUP_SCHEDULE: "@daily" };

async function examine(dataDir: string, environment: Record<string, string> = {}) {
  const { out } = await run(["doctor", "--json", "--data-dir", dataDir], {
    environment: { PORT: "0", ...environment },
  });
  return findingsIn(out);
}

/** As a user whom modes bind, who owns the data folder. */
async function examineAsSomebody(dataDir: string, environment: Record<string, string> = {}) {
  if (isRoot) await Bun.$`chown -R ${nobody}:${nobody} ${dataDir}`.quiet();
  const args = ["doctor", "--json", "--data-dir", dataDir];
  const { stdout } = await Bun.$`${asSomebody} ${program} ${args}`
    .env({ PATH: process.env["PATH"] ?? "", PORT: "0", ...environment })
    .nothrow()
    .quiet();
  return findingsIn(stdout.toString());
}

function findingsIn(out: string) {
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return (check: string) => findings.filter((one) => one.check === check);
}

describe("a secret that a start refuses", () => {
  test("is a problem, with the words of the start", async () => {
    const dataDir = await copyOfData();
    const path = join(dataDir, "secrets/jwt-secret");
    await Bun.write(path, "short\n");
    const { error } = await run(["serve", "--port", "0", "--data-dir", dataDir]);
    const found = (await examine(dataDir))("secrets");
    const [{ state, message } = { state: "none", message: "" }] = found;
    expect({ state, count: found.length }).toEqual({ state: "problem", count: 1 });
    expect(message).toStartWith(`${path} is damaged: `);
    expect(error).toContain(message);
    expect(JSON.stringify(found)).not.toContain("short");
  });

  test("is not needed where the settings have one, or where none exists yet", async () => {
    const dataDir = await copyOfData();
    const path = join(dataDir, "secrets/jwt-secret");
    await Bun.write(path, "short\n");
    expect(
      (await examine(dataDir, { JWT_SECRET: "correct horse battery staple, twice" }))("secrets"),
    ).toMatchObject([{ state: "ok" }]);
    await rm(path);
    expect((await examine(dataDir))("secrets")).toMatchObject([{ state: "ok" }]);
    expect(await Bun.file(path).exists()).toBe(false);
  });
});

describe("a damaged database", () => {
  test("is to be restored from a backup", async () => {
    const dataDir = await copyOfData();
    await using file = await open(join(dataDir, "cloakroom.db"), "r+");
    await file.write(Buffer.alloc(3000, 0xff), 0, 3000, 100);
    expect((await examine(dataDir))("database")).toMatchObject([
      { state: "problem", message: expect.stringContaining("SQLITE_CORRUPT"), remedy: "restore a backup" },
    ]);
  });

  test.skipIf(noSomebody !== null)("that cannot be opened is a matter of who owns it", async () => {
    const dataDir = await copyOfData();
    await chmod(join(dataDir, "cloakroom.db"), 0);
    expect((await examineAsSomebody(dataDir))("database")).toMatchObject([
      { state: "problem", remedy: "check who owns the folder" },
    ]);
  });
});

describe("what a killed restore unpacked", () => {
  test("is a warning that says when it goes", async () => {
    const dataDir = await copyWithUnpacked();
    expect((await examine(dataDir))("data folder")).toEqual([
      {
        check: "data folder",
        state: "warning",
        message: expect.stringContaining("a restore that was killed left"),
        remedy: "the next start of the server removes it, and so does the next restore",
      },
    ]);
  });

  test("is none while one goes on", async () => {
    const dataDir = await copyWithUnpacked();
    using _restoring = takeFolder(dataDir);
    expect((await examine(dataDir))("data folder")).toMatchObject([{ state: "ok" }]);
  });
});

describe("backups", () => {
  test.each([
    ["is empty", ""],
    ["is no archive", "not found\n"],
  ])("of which the newest %s are a problem", async (_, content) => {
    const dataDir = await copyOfData();
    await run(["backup", "--data-dir", dataDir]);
    expect((await examine(dataDir, daily))("backups")).toMatchObject([{ state: "ok" }]);
    const stamp = new Date(Date.now() + 1000).toISOString().slice(0, 19).replaceAll(":", "-");
    const name = `cloakroom-${stamp}Z.tar.zst`;
    await Bun.write(join(dataDir, "backups", name), content);
    expect((await examine(dataDir, daily))("backups")).toMatchObject([
      { state: "ok" },
      { state: "problem", message: expect.stringContaining(`${name} is no backup`) },
    ]);
  });

  test("into a folder that is a file are a problem", async () => {
    const dataDir = await copyOfData();
    const file = join(folder.path, "file");
    await Bun.write(file, "");
    for (const BACKUP_DIR of [file, join(file, "in it")]) {
      const findings = (await examine(dataDir, { ...daily, BACKUP_DIR }))("backups");
      expect(findings).toMatchObject([
        { state: "problem", message: `BACKUP_DIR ${BACKUP_DIR} cannot be used: ${file} is no folder` },
      ]);
    }
  });

  test.skipIf(noSomebody !== null)("into a folder that cannot be written or made are a problem", async () => {
    const dataDir = await copyOfData();
    for (const BACKUP_DIR of ["/etc", "/nonexistent/x"]) {
      const of = await examineAsSomebody(dataDir, { ...daily, BACKUP_DIR });
      expect(of("backups")).toMatchObject([
        {
          state: "problem",
          message: expect.stringContaining(`BACKUP_DIR ${BACKUP_DIR} cannot be used: EACCES`),
        },
      ]);
    }
  });

  test("into a folder that is to be made are none, and it is not made", async () => {
    const dataDir = await copyOfData();
    const before = await filesOf(dataDir);
    const environment = { ...daily, BACKUP_DIR: join(dataDir, "to be", "made") };
    expect((await examine(dataDir, environment))("backups")).toMatchObject([{ state: "warning" }]);
    expect(await filesOf(dataDir)).toEqual(before);
    expect(existsSync(join(dataDir, "to be"))).toBe(false);
  });
});

test.skipIf(noSomebody !== null)("a texture that cannot be read is named, with whom to ask", async () => {
  const dataDir = await copyOfData();
  const [path = ""] = await texturesOf(dataDir);
  await chmod(path, 0);
  expect((await examineAsSomebody(dataDir))("textures")).toEqual([
    {
      check: "textures",
      state: "problem",
      message: expect.stringMatching(/^1 of \d textures are missing or damaged; .*EACCES.*\.png/),
      remedy: "check who owns it; cloakroom fsck lists and repairs them",
    },
  ]);
});

test.skipIf(process.platform !== "linux")("few files: says how many, and how to allow more", async () => {
  const args = ["doctor", "--json", "--data-dir", await copyOfData()];
  const { stdout } = await Bun.$`sh -c ${'ulimit -n 1024 && exec "$@"'} sh ${program} ${args}`
    .env({ PATH: process.env["PATH"] ?? "", PORT: "0" })
    .nothrow()
    .quiet();
  expect(findingsIn(stdout.toString())("open files")).toEqual([
    {
      check: "open files",
      state: "warning",
      message:
        "no server runs here; one that this user starts may open only 1024 files at once, connections included",
      remedy: expect.stringMatching(/^allow 4096 or more: LimitNOFILE .*ulimit -Hn .*--ulimit nofile/),
    },
  ]);
});
