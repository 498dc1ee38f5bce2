import { expect, test } from "bun:test";
import { killAgainAndAgain } from "./kill-run.ts";
import { program } from "../support/program.ts";

/** Long enough for a machine that is busy with the other tests; `bun run test:faults` has the long form. */
const timeoutMs = 120_000;

test(
  "keeps all that it answered, halves nothing and loses no mail when it is killed at any moment",
  async () => {
    const report = await killAgainAndAgain({
      command: program,
      kills: 5,
      players: 3,
      newcomersAtOnce: 4,
      seed: 1,
    });
    expect(report).toMatchObject({ faults: [], complaints: "", kills: 5, refused: 0 });
    expect(report.answered).toBeGreaterThan(10);
    expect(report.events).toBeGreaterThan(10);
  },
  timeoutMs,
);
