/*
 * The long form of `races.test.ts`.
 *
 *   bun run test:faults            ROUNDS=<number> plays fewer or more
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { openRaceWorld, races } from "./account-races.ts";

const rounds = Number(process.env["ROUNDS"] ?? 1_000);

if (postgresMissing !== null) console.error(`NOT RUN: races of two nodes (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)(`in ${rounds} rounds of two nodes that ask at once`, () => {
  let world: Awaited<ReturnType<typeof openRaceWorld>>;
  beforeAll(async () => {
    world = await openRaceWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(Object.entries(races))(
    "%s",
    async (_, race) => {
      for (let round = 1; round <= rounds; round++) await race(world, round);
      const stats = world.nodes.both.map(({ services }) => services.databaseStatistics()?.transactions);
      console.log(stats);
      expect(stats.map((one) => one?.givenUp)).toEqual([0, 0]);
    },
    60 * 60_000,
  );
});
