import { expect, test } from "bun:test";
import { mainFile } from "../cli/run-program.ts";
import { killAmidEverything } from "./mixed-run.ts";

/** Long enough for a machine that is busy with the other tests; `bun run test:faults` has the long form. */
const timeoutMs = 60_000;

test(
  "keeps skins, capes, roles, mails and audit as it said when it is killed amid all of them",
  async () => {
    const command = [process.execPath, mainFile];
    const report = await killAmidEverything({ command, kills: 6, players: 4, seed: 1 });
    expect(report).toMatchObject({ faults: [], complaints: "", kills: 6, refused: 0 });
    expect(report.answered).toBeGreaterThan(20);
  },
  timeoutMs,
);
