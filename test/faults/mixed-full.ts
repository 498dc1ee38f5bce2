/*
 * The long form of `mixed.test.ts`: the compiled binary is killed a thousand times.
 *
 *   bun run test:faults            always the same moments; SEED=<number> takes others, KILLS=<number> fewer or more
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../tidy/project-files.ts";
import { killAmidEverything } from "./mixed-run.ts";

const timeoutMs = 60 * 60_000;
/** What an operator is promised after a crash. */
const readyMsMax = 2000;
const kills = Number(process.env["KILLS"] ?? 1000);
const seed = Number(process.env["SEED"] ?? 1);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloakroom-mixed-binary-"));
  await Bun.$`${process.execPath} ${join(projectRoot, "tools/build.ts")} --out-dir ${folder}`.quiet();
}, timeoutMs);

afterAll(() => rm(folder, { recursive: true }));

test(
  `${kills} times kill -9 amid everything that writes (SEED=${seed})`,
  async () => {
    const report = await killAmidEverything({
      command: [join(folder, "cloakroom")],
      kills,
      players: 12,
      seed,
    });
    console.log(report);
    expect(report).toMatchObject({ faults: [], complaints: "", kills, refused: 0 });
    expect(report.slowestReadyMs).toBeLessThan(readyMsMax);
  },
  timeoutMs,
);
