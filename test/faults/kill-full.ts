/*
 * The long form of `kill.test.ts`: the compiled binary is killed a thousand times, the source a hundred.
 *
 *   bun run test:faults            always the same moments; SEED=<number> takes others, KILLS=<number> fewer or more
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../tidy/project-files.ts";
import { killAgainAndAgain } from "./kill-run.ts";
import { sourceFile } from "../support/program.ts";

const timeoutMs = 60 * 60_000;
/** What an operator is promised after a crash. */
const readyMsMax = 2000;
const kills = Number(process.env["KILLS"] ?? 1000);
const seed = Number(process.env["SEED"] ?? 1);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-kill-binary-"));
  await Bun.$`${process.execPath} ${join(projectRoot, "tools/build.ts")} --out-dir ${folder}`.quiet();
}, timeoutMs);

afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["from source", Math.ceil(kills / 10), () => [process.execPath, sourceFile]],
  ["the binary", kills, () => [join(folder, "cloakroom")]],
] as const)(
  `kill -9 amid everything that writes, %s, %d times (SEED=${seed})`,
  async (_, times, command) => {
    const cast = { players: 12, newcomersAtOnce: 6, seed };
    const report = await killAgainAndAgain({ command: command(), kills: times, ...cast });
    console.log(report);
    expect(report).toMatchObject({ faults: [], complaints: "", kills: times, refused: 0 });
    expect(report.slowestReadyMs).toBeLessThan(readyMsMax);
  },
  timeoutMs,
);
