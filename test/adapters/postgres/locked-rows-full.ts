/**
 * Rows and tables that another program has locked: nothing waits for longer than a request may, and nothing
 * else waits with it.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { postgresMissing } from "../../support/postgres.ts";
import { increment, openPoolWorld, valueOf, type PoolWorld } from "./pool-world.ts";

if (postgresMissing !== null) console.error(`NOT RUN: rows that are locked (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)("what another program has locked", () => {
  let world: PoolWorld;
  beforeAll(async () => (world = await openPoolWorld()));
  afterAll(() => world[Symbol.asyncDispose]());

  /** Holds the lock until the work is done, or for so long. */
  const whileLocked = async <T>(lock: string, ms: number, work: () => Promise<T>): Promise<T> => {
    await using sql = new SQL({ url: world.proxy.url, max: 1 });
    const held = await sql.reserve();
    await held.unsafe("BEGIN");
    await held.unsafe(lock);
    const freed = Bun.sleep(ms).then(() => held.unsafe("ROLLBACK"));
    const result = await work();
    await freed;
    void held.release();
    return result;
  };
  const row = "SELECT 1 FROM counters WHERE name = 'one' FOR UPDATE";
  const table = "LOCK TABLE counters IN ACCESS EXCLUSIVE MODE";

  test.each([
    ["a row", row],
    ["the table", table],
  ])("%s: a work is done once it is free, and once", async (_, lock) => {
    const before = await valueOf(world.pool.read);
    expect(await whileLocked(lock, 3_000, () => world.run((db) => increment(db)))).toBe(before + 1);
    expect(await valueOf(world.pool.read)).toBe(before + 1);
  });

  test("a row for longer: the work is given up with words, and others go on meanwhile", async () => {
    const { commits, givenUp } = world.transactions.stats();
    const failed = await whileLocked(row, 12_000, async () => {
      const given = world.run((db) => increment(db)).catch((error: unknown) => error);
      // Another lane's runs and other rows do not wait for it.
      expect(await world.run((db) => increment(db, "other"))).toBeGreaterThan(0);
      return await given;
    });
    expect(failed).toMatchObject({
      kind: "unavailable",
      message: "Others change the same right now: try again in a few seconds",
    });
    expect(world.transactions.stats()).toMatchObject({ commits: commits + 1, givenUp: givenUp + 1 });
    expect(world.lines.filter((line) => line.includes("cannot be reached"))).toEqual([]);
  });
});
