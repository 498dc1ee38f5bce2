/*
 * The long form of `histories.test.ts`.
 *
 *   bun run test:faults            SEED=<number> makes others, HISTORIES=<number> fewer or more
 */
import { expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { playHistories } from "./random-histories.ts";
import { openTwoDatabases } from "./two-databases.ts";

const histories = Number(process.env["HISTORIES"] ?? 1_000);
const seed = Number(process.env["SEED"] ?? 1);

if (postgresMissing !== null) console.error(`NOT RUN: histories of two nodes (${postgresMissing})`);

test.skipIf(postgresMissing !== null)(
  `${histories} random histories of two nodes are those of one order (SEED=${seed})`,
  async () => {
    await using opened = await openTwoDatabases();
    await playHistories(opened.nodes, histories, seed);
    const stats = opened.nodes.map(({ statistics }) => statistics().transactions);
    console.log({ histories, seed, stats });
    expect(stats.map(({ givenUp }) => givenUp)).toEqual([0, 0]);
  },
  60 * 60_000,
);
