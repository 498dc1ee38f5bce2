import { describe, expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { compareEngines } from "./compare.ts";

const requests = 100;
const seed = Number(process.env["SEED"] ?? 1);

if (postgresMissing !== null) console.error(`NOT RUN: answers of two engines compared (${postgresMissing})`);

/** `bun run test:faults` compares more than a hundred times as many. */
describe.skipIf(postgresMissing !== null)("SQLite and PostgreSQL answer alike", () => {
  test.each(["generated", "hostile"] as const)(
    `to ${requests} requests that are %s (SEED=${seed})`,
    async (kind) => {
      const { differences } = await compareEngines(kind, requests, seed);
      expect(differences).toEqual([]);
    },
    120_000,
  );
});
