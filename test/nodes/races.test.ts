/** Two nodes that race on each rule about accounts, a few rounds each; `races-full.ts` plays a thousand. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { openRaceWorld, races } from "./account-races.ts";

if (postgresMissing !== null) console.error(`NOT RUN: races of two nodes (${postgresMissing})`);

const rounds = 5;

describe.skipIf(postgresMissing !== null)("of two nodes that ask at once", () => {
  let world: Awaited<ReturnType<typeof openRaceWorld>>;
  beforeAll(async () => {
    world = await openRaceWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(Object.entries(races))("%s", async (_, race) => {
    for (let round = 1; round <= rounds; round++) await race(world, round);
    expect(
      world.nodes.both.map(({ services }) => services.databaseStatistics()?.transactions.givenUp),
    ).toEqual([0, 0]);
  });
});
