/*
 * The long form of `engines.test.ts`: 20,000 requests of each kind on both engines.
 *
 *   bun run test:faults            SEED=<number> makes others, REQUESTS=<number> fewer or more
 */
import { expect, test } from "bun:test";
import { compareEngines } from "./compare.ts";

const requests = Number(process.env["REQUESTS"] ?? 20_000);
const seed = Number(process.env["SEED"] ?? 1);

test.each(["generated", "hostile"] as const)(
  `SQLite and PostgreSQL answer alike to ${requests} requests that are %s (SEED=${seed})`,
  async (kind) => {
    const { differences, statuses } = await compareEngines(kind, requests, seed);
    console.log({ kind, requests, seed, statuses });
    expect(differences).toEqual([]);
  },
  60 * 60_000,
);
