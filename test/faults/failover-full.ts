/*
 * The server that takes writes is lost under everything that writes on two nodes.
 *
 *   FAILOVERS=<number> of them (3), SEED=<number> takes other moments
 */
import { expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { failOver } from "./failover-run.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the loss of a primary (${postgresMissing})`);

const failovers = Number(process.env["FAILOVERS"] ?? 3);
const firstSeed = Number(process.env["SEED"] ?? 1);
/** A member waits no longer for an answer, and a node no longer for the promoted server. */
const boundMs = 10_000;

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

test.skipIf(!own).each(Array.from({ length: failovers }, (_, number) => firstSeed + number))(
  "a primary is killed and its synchronous standby promoted: nothing is lost, and both nodes write again by themselves (seed %d)",
  async (seed) => {
    const given = { players: 4, newcomersAtOnce: 3, writeMs: 8000, downMs: 3000, seed };
    const report = await failOver(given);
    console.log(report);
    expect(report).toMatchObject({ wrong: [], complaints: [], picturesRefused: [] });
    expect(report.answered).toBeGreaterThan(50);
    expect(report.pictures).toBeGreaterThan(100);
    for (const ms of [...report.afterPromotionMs, report.slowestMs]) expect(ms).toBeLessThan(boundMs);
  },
  600_000,
);
