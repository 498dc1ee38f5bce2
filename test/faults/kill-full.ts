/*
 * The long form of `kill.test.ts`: 500 registrations, renames and resets, of the source and of the compiled binary.
 *
 *   bun run test:faults            always the same moments; SEED=<number> takes others
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mainFile } from "../cli/run-program.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { killAgainAndAgain } from "./kill-run.ts";

const timeoutMs = 15 * 60_000;
/** What an operator is promised after a crash. */
const readyMsMax = 2000;
const seed = Number(process.env["SEED"] ?? 1);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-kill-binary-"));
  await Bun.$`${process.execPath} ${join(projectRoot, "tools/build.ts")} --out-dir ${folder}`.quiet();
}, timeoutMs);

afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["from source", () => [process.execPath, mainFile]],
  ["the binary", () => [join(folder, "cloakroom")]],
])(
  "500 operations under kill -9, %s",
  async (_, command) => {
    const report = await killAgainAndAgain({ command: command(), lives: 125, parallel: 24, seed });
    console.log(report);
    expect(report).toMatchObject({ faults: [], complaints: "", operations: 500 });
    expect(report.slowestReadyMs).toBeLessThan(readyMsMax);
  },
  timeoutMs,
);
