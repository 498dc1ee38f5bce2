import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { postgresMissing } from "../../support/postgres.ts";
import { runTwice } from "../../support/run-twice.ts";
import type { StatementFault } from "../../support/postgres-proxy.ts";
import {
  endConnections,
  increment,
  openPoolWorld,
  runner,
  senderOf,
  valueOf,
  type PoolWorld,
} from "./pool-world.ts";

if (postgresMissing !== null) console.error(`NOT RUN: transactions of PostgreSQL (${postgresMissing})`);

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

/** A fault of the first statements that fit, and of none after them. */
const firstOf = (wanted: RegExp, fault: StatementFault, times = 1) => {
  let left = times;
  return (text: string): StatementFault | null => {
    if (left === 0 || !wanted.test(text)) return null;
    left -= 1;
    return fault;
  };
};

/** How many works of four actors run at one time once each has met so many conflicts. */
async function atOnceMax({ proxy, transactions }: PoolWorld, conflicts: number): Promise<number> {
  let [underway, most] = [0, 0];
  const left = new Map<string, number>();
  const works = ["a", "b", "c", "d"].map((actor) =>
    transactions.inLane("requests")(async (stores) => {
      const runs = (left.get(actor) ?? 0) + 1;
      left.set(actor, runs);
      // The last of these runs are looked at; each of the others conflicts.
      if (runs <= conflicts) return senderOf(stores).send("SELECT 'conflict'", []);
      underway += 1;
      most = Math.max(most, underway);
      await senderOf(stores).send("SELECT pg_sleep(0.05)", []);
      underway -= 1;
      return null;
    }, actor),
  );
  proxy.onStatement((text) => (text.includes("'conflict'") ? { sqlState: "40001" } : null));
  await Promise.all(works);
  return most;
}

describe.skipIf(postgresMissing !== null)("a transaction of PostgreSQL", () => {
  let world: PoolWorld;
  beforeAll(async () => (world = await openPoolWorld()));
  afterAll(() => world[Symbol.asyncDispose]());
  afterEach(async () => {
    world.proxy.onStatement(() => null);
    await world.pool.write.send("UPDATE counters SET value = 0", []);
  });

  test("adds up when a hundred read and write the same row", async () => {
    const { givenUp, unknown } = world.transactions.stats();
    const values = await Promise.all(Array.from({ length: 100 }, () => world.run((db) => increment(db))));
    expect(values.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(world.transactions.stats()).toMatchObject({ givenUp, unknown });
  });

  test.each(["SELECT", "UPDATE", "COMMIT", "BEGIN"])(
    "is done once when %s meets a conflict",
    async (what) => {
      for (const sqlState of ["40001", "40P01"]) {
        world.proxy.onStatement(firstOf(new RegExp(`^${what}`), { sqlState }, 3));
        const before = await valueOf(world.pool.read);
        expect(await world.run((db) => increment(db))).toBe(before + 1);
        expect(await valueOf(world.pool.read)).toBe(before + 1);
      }
    },
  );

  test("is given up after thirty conflicts, and keeps nothing", async () => {
    world.proxy.onStatement((text) => (text.startsWith("COMMIT") ? { sqlState: "40001" } : null));
    let runs = 0;
    const failed = world.run(async (db) => {
      runs += 1;
      return increment(db);
    });
    expect(await failureOf(failed)).toMatchObject({
      kind: "unavailable",
      retryAfterSeconds: 5,
      message: expect.stringContaining("Others change the same"),
    });
    expect(runs).toBe(30);
    expect(await valueOf(world.pool.read)).toBe(0);
  });

  test.each(["SELECT", "UPDATE"])("runs again when its connection ends at %s", async (what) => {
    for (const fault of ["reset", "loseAnswer"] as const) {
      const before = await valueOf(world.pool.read);
      world.proxy.onStatement(firstOf(new RegExp(`^${what}`), fault));
      expect(await world.run((db) => increment(db))).toBe(before + 1);
    }
  });

  test.each([
    ["reset", 0],
    ["loseAnswer", 1],
    ["stallAnswer", 1],
  ] as const)("is never run again when the answer of COMMIT does not come: %s", async (fault, value) => {
    world.proxy.onStatement(firstOf(/^COMMIT/, fault));
    let runs = 0;
    const failed = world.run(async (db) => {
      runs += 1;
      return increment(db);
    });
    expect(await failureOf(failed)).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("does not answer"),
    });
    expect(runs).toBe(1);
    world.proxy.onStatement(() => null);
    expect(await valueOf(world.pool.read)).toBe(value);
  });

  test("is done when all connections were ended before it", async () => {
    await Promise.all(Array.from({ length: 8 }, () => world.run((db) => increment(db, "other"))));
    await endConnections(world);
    await Promise.all(Array.from({ length: 20 }, () => world.run((db) => increment(db))));
    expect(await valueOf(world.pool.read)).toBe(20);
  });

  test("cannot keep anything once a statement has failed, also where its work goes on", async () => {
    const failed = world.run(async (db) => {
      await increment(db);
      await db.send("INSERT INTO counters VALUES ('one', 1)", []).catch(() => undefined);
      return "kept";
    });
    expect(await failureOf(failed)).toMatchObject({ sqlState: "23505" });
    expect(await valueOf(world.pool.read)).toBe(0);
  });

  test("sees in its second run what clashed in the first one", async () => {
    let runs = 0;
    const name = await world.run(async (db) => {
      runs += 1;
      const other = `new${runs}`;
      if (runs === 1) await world.pool.write.send("INSERT INTO counters VALUES ('new1', 1)", []);
      await db.send("INSERT INTO counters VALUES ($1, 1)", [other]);
      return other;
    });
    expect(name).toBe("new2");
  });

  test("sees what clashed in later runs as well", async () => {
    world.proxy.onStatement(firstOf(/^COMMIT/, { sqlState: "40001" }));
    let runs = 0;
    await world.run(async (db) => {
      runs += 1;
      const name = `later${runs}`;
      if (runs === 2 || runs === 3)
        await world.pool.write.send("INSERT INTO counters VALUES ($1, 1)", [name]);
      await db.send("INSERT INTO counters VALUES ($1, 1)", [name]);
    });
    expect(runs).toBe(4);
  });

  test("of a request runs again while one of a job that runs again takes long", async () => {
    world.proxy.onStatement(firstOf(/^COMMIT/, { sqlState: "40001" }, 1));
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const job = runner(world.transactions.inLane("jobs"))(async (db) => {
      runs += 1;
      if (runs === 2) {
        begun.resolve();
        await mayEnd.promise;
      }
      return increment(db, "other");
    });
    await begun.promise;
    world.proxy.onStatement(firstOf(/^COMMIT/, { sqlState: "40001" }));
    expect(await world.run((db) => increment(db))).toBe(1);
    mayEnd.resolve();
    await job;
    expect(runs).toBe(2);
  });

  test("that runs again waits for no other actor's, only for the same one's", async () => {
    const fault = firstOf(/^COMMIT/, { sqlState: "40001" }, 3);
    const failed: string[] = [];
    world.proxy.onStatement((text) => {
      const found = fault(text);
      if (found !== null) failed.push(text);
      return found;
    });
    const mayEnd = Promise.withResolvers<void>();
    const begun: string[] = [];
    const act = (actor: string, name: string) => {
      let runs = 0;
      return world.transactions.inLane("requests")(async (stores) => {
        runs += 1;
        await valueOf(senderOf(stores));
        if (runs === 1) return;
        begun.push(name);
        if (name === "one") await mayEnd.promise;
      }, actor);
    };
    const first = act("busy", "one");
    while (begun.length === 0) await Bun.sleep(1);
    const second = act("busy", "two");
    // Each has failed once before the next one comes.
    while (failed.length < 2) await Bun.sleep(1);
    await act("quiet", "three");
    expect(begun).toEqual(["one", "three"]);
    mayEnd.resolve();
    await Promise.all([first, second]);
    expect(begun).toEqual(["one", "three", "two"]);
  });

  test("runs one at a time of all actors once it has met others four times", async () => {
    expect(await atOnceMax(world, 1)).toBeGreaterThan(1);
    expect(await atOnceMax(world, 4)).toBe(1);
  });

  test("fails by its work's error, and its place serves the next one", async () => {
    const failed = world.run(async (db) => {
      await increment(db);
      throw new Error("refused");
    });
    expect(await failureOf(failed)).toMatchObject({ message: "refused" });
    expect(await world.run((db) => increment(db))).toBe(1);
  });

  test("begins with the guard of its lane, in each run", async () => {
    let guarded = 0;
    const atomically = world.transactions.inLane("jobs", async (db) => {
      guarded += 1;
      if ((await valueOf(db)) > 0) throw new Error("the lease is over");
    });
    world.proxy.onStatement(firstOf(/^COMMIT/, { sqlState: "40001" }));
    expect(await runner(atomically)((db) => increment(db))).toBe(1);
    expect(guarded).toBe(2);
    expect(await failureOf(runner(atomically)((db) => increment(db)))).toMatchObject({
      message: "the lease is over",
    });
  });

  test("cannot be used after its end", async () => {
    const kept = await world.run((db) => Promise.resolve({ db }));
    expect(await failureOf(increment(kept.db))).toMatchObject({ message: "This transaction has ended" });
  });
});

test.skipIf(postgresMissing !== null)("works of many at once run twice where tests want it", async () => {
  await using world = await openPoolWorld({ rerun: runTwice() });
  let runs = 0;
  const work = (db: Parameters<Parameters<PoolWorld["run"]>[0]>[0]) => {
    runs += 1;
    return increment(db);
  };
  await Promise.all(Array.from({ length: 10 }, () => world.run((db) => work(db))));
  expect(await valueOf(world.pool.read)).toBe(10);
  expect(runs).toBeGreaterThanOrEqual(20);
});

test.skipIf(postgresMissing !== null)(
  "without prepared statements its settings are the transaction's own",
  async () => {
    await using world = await openPoolWorld({ prepared: false });
    const text = "SELECT current_setting('statement_timeout'), current_setting('enable_seqscan')";
    expect(await world.run((db) => db.send(text, []))).toEqual([["5s", "off"]]);
    expect(await world.pool.read.send(text, [])).toEqual([["0", "on"]]);
    expect(await world.run((db) => increment(db))).toBe(1);
  },
);
