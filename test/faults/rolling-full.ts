/*
 * Nodes behind HAProxy are restarted one after the other under load.
 *
 *   ROUNDS=<number> each node is restarted so often (3)
 *   PREVIOUS_BINARY=<file> the program of the release before, from which the nodes are upgraded
 */
import { expect, test } from "bun:test";
import { haproxyMissing } from "../support/poolers.ts";
import { postgresMissing } from "../support/postgres.ts";
import { restartInTurn } from "./rolling-run.ts";

const missing = postgresMissing ?? haproxyMissing;
if (missing !== null) console.error(`NOT RUN: a rolling restart (${missing})`);
const previous = process.env["PREVIOUS_BINARY"];
const previousMissing = missing ?? (previous === undefined ? "PREVIOUS_BINARY names no program" : null);
if (previousMissing !== null) console.error(`NOT RUN: a rolling upgrade (${previousMissing})`);

const rounds = Number(process.env["ROUNDS"] ?? 3);

test.skipIf(missing !== null)(
  "nodes that are restarted one after the other behind a balancer fail no request",
  async () => {
    const report = await restartInTurn({ rounds, members: 6 });
    console.log(report);
    expect(report).toMatchObject({ failed: [], stops: 2 * rounds });
    expect(report.requests).toBeGreaterThan(100);
  },
  1_200_000,
);

test.skipIf(previousMissing !== null)(
  "nodes that are upgraded from the release before, one after the other, fail no request",
  async () => {
    const report = await restartInTurn({ rounds: 1, members: 6, before: [previous ?? ""] });
    console.log(report);
    expect(report).toMatchObject({ failed: [], stops: 2 });
  },
  1_200_000,
);
