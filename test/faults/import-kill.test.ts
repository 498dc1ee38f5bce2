import { expect, test } from "bun:test";
import { program } from "../support/program.ts";
import { killImports } from "./import-kill-run.ts";

/** Long enough for a machine that is busy with the other tests; `bun run test:faults` has the long form. */
const timeoutMs = 120_000;

test(
  "an import that is killed at any moment comes to the same end",
  async () => {
    const report = await killImports({ command: program, storage: {}, accounts: 1_200, kills: 2, seed: 1 });
    expect(report.faults).toEqual([]);
    expect(report.kills).toBeGreaterThan(0);
  },
  timeoutMs,
);
