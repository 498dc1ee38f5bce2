/*
 * Nodes over PostgreSQL and a bucket are killed.
 *
 *   KILLS=<number> times (200), SEED=<number> takes other moments
 */
import { expect, test } from "bun:test";
import { bucketMissing } from "../support/bucket.ts";
import { postgresMissing } from "../support/postgres.ts";
import { killNodes } from "./node-kill-run.ts";

const missing = postgresMissing ?? bucketMissing;
if (missing !== null) console.error(`NOT RUN: nodes that are killed (${missing})`);

const kills = Number(process.env["KILLS"] ?? 200);
const seed = Number(process.env["SEED"] ?? 1);
/** Within this time another node leads. */
const leaderMsMax = 15_000;

test.skipIf(missing !== null)(
  `kill -9 of nodes amid everything that writes, ${kills} times (SEED=${seed})`,
  async () => {
    const report = await killNodes({ kills, players: 4, newcomersAtOnce: 3, seed });
    console.log(report);
    expect(report).toMatchObject({ wrong: [], kills, twice: 0, errors: [] });
    expect(report.answered).toBeGreaterThan(kills);
    for (const ms of report.leaderMs) expect(ms).toBeLessThan(leaderMsMax);
  },
  60 * 60_000,
);
