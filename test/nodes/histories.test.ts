import { expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { playHistories } from "./random-histories.ts";
import { openTwoDatabases } from "./two-databases.ts";

const histories = 15;
const seed = Number(process.env["SEED"] ?? 1);

if (postgresMissing !== null) console.error(`NOT RUN: histories of two nodes (${postgresMissing})`);

/** `bun run test:faults` plays sixty times as many. */
test.skipIf(postgresMissing !== null)(
  `${histories} random histories of two nodes are those of one order (SEED=${seed})`,
  async () => {
    await using opened = await openTwoDatabases();
    await playHistories(opened.nodes, histories, seed);
    const stats = opened.nodes.map(({ statistics }) => statistics().transactions);
    expect(stats.map(({ givenUp }) => givenUp)).toEqual([0, 0]);
  },
);
