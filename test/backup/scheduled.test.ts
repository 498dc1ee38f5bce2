import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { openWorkFolder } from "../../src/adapters/data-folder/backup-folder.ts";
import { takeFolder, useFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { backUpInProcess } from "../../src/operate/jobs.ts";
import { startScheduledBackups, type MadeBackup } from "../../src/jobs/scheduled-backup.ts";
import type { BackupTarget } from "../../src/domain/ports/backup-ports.ts";
import { backupName, pruneBackups } from "../../src/domain/backup/retention.ts";
import { createBackupRecord } from "../../src/domain/backup/backup-record.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { makeData } from "./data-world.ts";
import { program } from "../support/program.ts";

const hourMs = 60 * 60 * 1000;

const passHours = async (hours: number) => {
  for (let hour = 0; hour < hours; hour++) {
    jest.advanceTimersByTime(hourMs);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
};

/** Starts the job under a clock that a test turns; `make` is what a backup does. */
function start(make: (signal: AbortSignal) => Promise<MadeBackup>) {
  jest.useFakeTimers();
  const lines: { level: string; message: string; error?: { message: string } }[] = [];
  const log = createLogger({
    level: "info",
    format: "json",
    write: (line) => void lines.push(JSON.parse(line)),
  });
  const record = createBackupRecord();
  const job = startScheduledBackups({ schedule: "0 * * * *", make, record, clock: systemClock, log });
  return { job, lines, record, passHours };
}

afterEach(() => void jest.useRealTimers());

describe("the schedule", () => {
  test("makes a backup at each of its times, and says so in the log", async () => {
    let made = 0;
    const { job, lines, record, passHours } = start(async () => ({
      textures_lost: 0,
      file: `backup ${++made}`,
    }));
    expect(record.read()).toMatchObject({ ended: 0, hasSucceeded: null });
    await passHours(3);
    expect(record.read()).toMatchObject({ ended: 3, hasSucceeded: true });
    expect(lines).toMatchObject(
      [1, 2, 3].map((count) => ({ message: "backup made", file: `backup ${count}` })),
    );
    await job[Symbol.asyncDispose]();
    await passHours(2);
    expect(made).toBe(3);
  });

  test("goes on after a backup that failed, which is logged as an error", async () => {
    let tries = 0;
    const { job, lines, record, passHours } = start(async () => {
      if (++tries === 1) throw new Error("no space is left on the disk");
      return { textures_lost: 0 };
    });
    await passHours(1);
    expect(record.read()).toMatchObject({ ended: 1, hasSucceeded: false });
    await passHours(1);
    expect(record.read()).toMatchObject({ ended: 2, hasSucceeded: true });
    await job[Symbol.asyncDispose]();
    expect(record.read()).toBeNull();
    expect(lines).toMatchObject([
      {
        level: "error",
        message: "the scheduled backup failed",
        error: { message: "no space is left on the disk" },
      },
      { level: "info", message: "backup made" },
    ]);
  });

  test("warns of a backup that lost textures, and says what to do", async () => {
    const { job, lines, passHours } = start(async () => ({ textures_lost: 3 }));
    await passHours(1);
    await job[Symbol.asyncDispose]();
    const words = "backup made, but textures are lost, so it removed no whole one; see cloakroom fsck";
    expect(lines).toMatchObject([{ level: "warn", message: words, textures_lost: 3 }]);
  });

  test("begins none while one is being made", async () => {
    const ending = Promise.withResolvers<MadeBackup>();
    let begun = 0;
    const { job, passHours } = start(() => {
      begun += 1;
      return ending.promise;
    });
    await passHours(4);
    expect(begun).toBe(1);
    ending.resolve({ textures_lost: 0 });
    await passHours(2);
    expect(begun).toBeGreaterThan(1);
    await job[Symbol.asyncDispose]();
  });

  test("stops a running backup with the server, and waits for it", async () => {
    const { job, lines, passHours } = start(
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    await passHours(1);
    await job[Symbol.asyncDispose]();
    expect(lines).toMatchObject([{ level: "warn", message: "a backup was interrupted: the server stops" }]);
  });
});

describe("the process that makes a scheduled backup", () => {
  type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: Folder;
  let dataDir: string;
  const environment = () => ({ PATH: process.env["PATH"], DATA_DIR: dataDir });

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, "data");
    await makeData(dataDir);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test("makes it with the settings of its environment, and prints where it is", async () => {
    const report = await backUpInProcess(environment(), new AbortController().signal, program);
    expect(report).toMatchObject({ textures: 4, secrets: "clear" });
    const restored = join(folder.path, "restored");
    expect((await run(["restore", String(report["file"]), "--data-dir", restored])).code).toBe(0);
  });

  test("does not read the file of settings, which may be changed meanwhile", async () => {
    const file = join(dataDir, "cloakroom.toml");
    await writeFile(file, "backup_schedule = 'half a line");
    const report = await backUpInProcess(environment(), new AbortController().signal, program);
    expect(report).toMatchObject({ textures: 4 });
    await rm(file);
  });

  test("fails in that process's words", async () => {
    const nowhere = { ...environment(), DATA_DIR: join(folder.path, "nowhere") };
    const made = backUpInProcess(nowhere, new AbortController().signal, program).catch(String);
    expect(await made).toBe(`AppError: ${nowhere.DATA_DIR} holds no database: there is nothing to back up`);
  });

  test("ends at a signal", async () => {
    const made = backUpInProcess(environment(), AbortSignal.abort(), program).catch(String);
    expect(await made).toMatch(/^AppError: (?:it ended with 143|.*stopped by SIGTERM)/);
  });
});

const lossy = (hour: string) => backupName(`${hour}:00:00.000Z`, 1);

describe("older backups", () => {
  const [first, second, third, ahead] = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01"].map((day) =>
    backupName(`${day}T00:00:00.000Z`, 0),
  ) as [string, string, string, string];
  const incomplete = lossy("2026-01-02T12");
  const now = Date.parse("2026-01-03T00:00:00Z") / 1000;

  test.each([
    ["go for the new one", [first, second, third], third, [first]],
    ["go, and not the new one that others overtook", [first, second, third], first, []],
    ["stay when a clock that was set back makes the new one the future", [first, second, ahead], ahead, []],
    ["are not counted together with the future", [first, second, third, ahead], third, [first]],
    ["stay when the new one is incomplete", [first, second, incomplete], incomplete, []],
    [
      "go by kind",
      ["2026-01-01T01", "2026-01-01T02"].map(lossy).concat(first, second, third, incomplete),
      third,
      [first, lossy("2026-01-01T01")],
    ],
    [
      "are those with a time in their name",
      ["cloakroom-2025-99-99T00-00-00Z.tar.zst", second, third],
      third,
      [],
    ],
  ])("%s", async (_, names, put, gone) => {
    const removed: string[] = [];
    const target: BackupTarget = {
      put: async () => "",
      list: async () => names,
      remove: async (name) => void removed.push(name),
    };
    await pruneBackups(target, { put, keep: 2, now });
    expect(removed).toEqual(gone);
  });
});

const sourceFile = (path: string) => JSON.stringify(join(import.meta.dir, "../../src", path));

/** A folder for work as a process leaves it that is killed while it copies the database. */
async function leaveWork(parent: string): Promise<string> {
  const script = `
    import { openWorkFolder } from ${sourceFile("adapters/data-folder/backup-folder.ts")};
    import { takeFolder, useFolder } from ${sourceFile("adapters/sqlite/folder-lock.ts")};
    const { path } = await openWorkFolder(${JSON.stringify(parent)}, { use: useFolder, take: takeFolder });
    await Bun.write(path + "/cloakroom.db", "half a copy");
    await Bun.write(Bun.stdout, path);
    process.kill(process.pid, "SIGKILL")`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  return await child.stdout.text();
}

/** Starts a server and stops it. */
const serveOnce = async (dataDir: string) => {
  const serve = [...program, "serve", "--port", "0", "--data-dir", dataDir];
  const env = { PATH: process.env["PATH"] ?? "" };
  await using server = Bun.spawn(serve, { env, stdout: "pipe", stderr: "ignore" });
  await server.stdout.getReader().read();
  server.kill("SIGTERM");
  await server.exited;
};

describe("what a killed backup leaves", () => {
  test.each([
    ["the next backup", async (dataDir: string) => void (await run(["backup", "--data-dir", dataDir]))],
    ["the server's start", serveOnce],
  ])("goes with %s, and the work of one that is being made does not", async (_, happens) => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    await makeData(dataDir);
    const backups = join(dataDir, "backups");
    await mkdir(backups);
    await using work = await openWorkFolder(backups, { use: useFolder, take: takeFolder });
    await Bun.write(join(work.path, "cloakroom.db"), "a copy");
    const left = await leaveWork(backups);
    expect(await readdir(backups)).toContain(basename(left));
    await happens(dataDir);
    const names = await readdir(backups);
    expect(names.filter((name) => !name.endsWith(".tar.zst"))).toEqual([basename(work.path)]);
    expect(await readdir(work.path)).toContain("cloakroom.db");
  });
});
