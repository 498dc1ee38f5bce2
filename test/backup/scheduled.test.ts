import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "bun:test";
import { join } from "node:path";
import { backUpInProcess } from "../../src/boot/scheduled-backup.ts";
import { startScheduledBackups } from "../../src/jobs/scheduled-backup.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { mainFile, run, temporaryFolder } from "../cli/run-program.ts";
import { makeData } from "./data-world.ts";

const hourMs = 60 * 60 * 1000;

const passHours = async (hours: number) => {
  for (let hour = 0; hour < hours; hour++) {
    jest.advanceTimersByTime(hourMs);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
};

/** Starts the job under a clock that a test turns; `make` is what a backup does. */
function start(make: (signal: AbortSignal) => Promise<Record<string, unknown>>) {
  jest.useFakeTimers();
  const lines: { level: string; message: string; error?: { message: string } }[] = [];
  const log = createLogger({
    level: "info",
    format: "json",
    write: (line) => void lines.push(JSON.parse(line)),
  });
  const job = startScheduledBackups({ schedule: "0 * * * *", make, log });
  return { job, lines, passHours };
}

afterEach(() => void jest.useRealTimers());

describe("the schedule", () => {
  test("makes a backup at each of its times, and says so in the log", async () => {
    let made = 0;
    const { job, lines, passHours } = start(async () => ({ file: `backup ${++made}` }));
    await passHours(3);
    expect(lines).toMatchObject(
      [1, 2, 3].map((count) => ({ message: "backup made", file: `backup ${count}` })),
    );
    await job[Symbol.asyncDispose]();
    await passHours(2);
    expect(made).toBe(3);
  });

  test("goes on after a backup that failed, which is logged as an error", async () => {
    let tries = 0;
    const { job, lines, passHours } = start(async () => {
      if (++tries === 1) throw new Error("no space is left on the disk");
      return {};
    });
    await passHours(2);
    await job[Symbol.asyncDispose]();
    expect(lines).toMatchObject([
      {
        level: "error",
        message: "the scheduled backup failed",
        error: { message: "no space is left on the disk" },
      },
      { level: "info", message: "backup made" },
    ]);
  });

  test("begins none while one is being made", async () => {
    const ending = Promise.withResolvers<Record<string, unknown>>();
    let begun = 0;
    const { job, passHours } = start(() => {
      begun += 1;
      return ending.promise;
    });
    await passHours(4);
    expect(begun).toBe(1);
    ending.resolve({});
    await passHours(2);
    expect(begun).toBeGreaterThan(1);
    await job[Symbol.asyncDispose]();
  });

  test("tells a backup that is being made to stop when the server does, and waits for it", async () => {
    const { job, lines, passHours } = start(
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    await passHours(1);
    await job[Symbol.asyncDispose]();
    expect(lines).toMatchObject([{ level: "warn", message: "a backup was cut off: the server stops" }]);
  });
});

describe("the process that makes a scheduled backup", () => {
  type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: Folder;
  let dataDir: string;
  const program = [process.execPath, mainFile];
  const environment = () => ({ PATH: process.env["PATH"], DATA_DIR: dataDir });

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, "data");
    await makeData(dataDir);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test("makes it with the settings of its environment, and tells where it is", async () => {
    const report = await backUpInProcess(environment(), new AbortController().signal, program);
    expect(report).toMatchObject({ textures: 4, secrets: "clear" });
    const restored = join(folder.path, "restored");
    expect((await run(["restore", String(report["file"]), "--data-dir", restored])).code).toBe(0);
  });

  test("fails in that process's words", async () => {
    const nowhere = { ...environment(), DATA_DIR: join(folder.path, "nowhere") };
    const made = backUpInProcess(nowhere, new AbortController().signal, program).catch(String);
    expect(await made).toBe(`AppError: ${nowhere.DATA_DIR} holds no database: there is nothing to back up`);
  });

  test("ends when it is told to", async () => {
    const made = backUpInProcess(environment(), AbortSignal.abort(), program).catch(String);
    expect(await made).toMatch(/^AppError: (?:it ended with 143|.*stopped by SIGTERM)/);
  });
});
