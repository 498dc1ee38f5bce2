import { expect, test } from "bun:test";
import { mainFile } from "../cli/run-program.ts";
import { killAgainAndAgain } from "./kill-run.ts";
import { operationsOfLife } from "./life.ts";

/** Long enough for a machine that is busy with the other tests; `bun run test:faults` has the long form. */
const timeoutMs = 60_000;

test(
  "keeps what it answered, halves nothing and loses no mail when it is killed at any moment",
  async () => {
    const command = [process.execPath, mainFile];
    const report = await killAgainAndAgain({ command, lives: 8, parallel: 8, seed: 1 });
    expect(report).toMatchObject({ faults: [], complaints: "", operations: 8 * operationsOfLife });
    expect(report.kills).toBeGreaterThan(1);
  },
  timeoutMs,
);
