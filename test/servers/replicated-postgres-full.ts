/** Two servers that replicate: what one has acknowledged is on the other one. */
import { SQL } from "bun";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { startReplicatedPostgres, type ReplicatedPostgres } from "../support/replicated-postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: two servers that replicate (${postgresMissing})`);

const at = (url: string) => new SQL({ url: url.replace(/postgres$/, "kept"), max: 4, connectionTimeout: 5 });

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

describe.skipIf(!own)("two servers that replicate", () => {
  let pair: ReplicatedPostgres;
  beforeEach(async () => void (pair = await startReplicatedPostgres()));
  afterEach(() => pair[Symbol.asyncDispose]());

  test("a server that is held answers no one, and goes on when it is let go", async () => {
    await using sql = new SQL({ url: pair.primary.url, max: 1 });
    await sql`SELECT 1`;
    pair.primary.pause();
    const answer = sql`SELECT 2 AS two`.then((rows: readonly unknown[]) => [...rows]);
    expect(await Promise.race([answer, Bun.sleep(300).then(() => "held")])).toBe("held");
    pair.primary.resume();
    expect(await answer).toEqual([{ two: 2 }]);
    await pair.standby.kill();
    const waiting = pair.makeDatabase("late").then(() => "made");
    expect(await Promise.race([waiting, Bun.sleep(300).then(() => "waits for the standby")])).toBe(
      "waits for the standby",
    );
    await pair.standby.start();
    expect(await waiting).toBe("made");
  });

  test("a promoted standby has every row that the killed primary acknowledged", async () => {
    await pair.makeDatabase("kept");
    const acknowledged: number[] = [];
    {
      await using writing = at(pair.primary.url);
      await writing`CREATE TABLE numbers (x int)`;
      const writer = async (first: number) => {
        for (let x = first; x < 40_000; x += 4) {
          await writing`INSERT INTO numbers VALUES (${x})`;
          acknowledged.push(x);
        }
      };
      const writers = Promise.allSettled([0, 1, 2, 3].map(writer));
      while (acknowledged.length < 100) await Bun.sleep(5);
      await pair.primary.kill();
      await writers;
    }
    await using promoted = at(pair.standby.url);
    expect([...(await promoted`SELECT pg_is_in_recovery() AS waits`)]).toEqual([{ waits: true }]);
    await pair.promote();
    expect([...(await promoted`SELECT pg_is_in_recovery() AS waits`)]).toEqual([{ waits: false }]);
    const rows: readonly { x: number }[] = await promoted`SELECT x FROM numbers`;
    const kept = new Set(rows.map(({ x }) => x));
    expect(acknowledged.length).toBeLessThan(40_000);
    expect(acknowledged.filter((x) => !kept.has(x))).toEqual([]);
    await promoted`INSERT INTO numbers VALUES (-1)`;
    expect(pair.url("kept")).toMatch(/@127\.0\.0\.1:\d+,127\.0\.0\.1:\d+\/kept$/);
  });
});
