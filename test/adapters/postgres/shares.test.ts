import { describe, expect, test } from "bun:test";
import { onBehalfOf } from "../../../src/kernel/on-behalf.ts";
import { postgresMissing } from "../../support/postgres.ts";
import { increment, openPoolWorld, valueOf, type PoolWorld } from "./pool-world.ts";

if (postgresMissing !== null) console.error(`NOT RUN: shares of clients in PostgreSQL (${postgresMissing})`);

/** As many as may wait for a connection. */
const waitingMax = 2_000;

const forClient = <T>(client: string, work: () => Promise<T>) => onBehalfOf({ client, gone: null }, work);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** So many transactions of a client that have begun and do not end. */
async function hold({ run }: PoolWorld, client: string, count: number) {
  const [begun, mayEnd] = [times(count, () => Promise.withResolvers<void>()), Promise.withResolvers<void>()];
  const ended = begun.map(({ resolve }) =>
    forClient(client, () =>
      run(async (db) => {
        await db.send("SELECT 1", []);
        resolve();
        await mayEnd.promise;
      }),
    ),
  );
  return {
    begun: begun.map(({ promise }) => promise),
    end: async () => {
      mayEnd.resolve();
      await Promise.all(ended);
    },
  };
}

describe.skipIf(postgresMissing !== null)("what waits for a connection", () => {
  test("goes by turns of its clients, the program being one", async () => {
    await using world = await openPoolWorld({ requestSlots: 1 });
    const ended: string[] = [];
    const work = (name: string) => () =>
      world.run(async (db) => void (await valueOf(db))).then(() => ended.push(name));
    const held = await hold(world, "other", 1);
    await Promise.all(held.begun);
    const many = times(50, () => forClient("busy", work("busy")));
    const one = forClient("quiet", work("quiet"));
    const own = work("program")();
    await held.end();
    await Promise.all([...many, one, own]);
    expect(ended.slice(0, 4)).toEqual(["busy", "quiet", "program", "busy"]);
  });

  test("goes by as many turns as four clients have where a larger network has more", async () => {
    await using world = await openPoolWorld({ requestSlots: 1 });
    const ended: string[] = [];
    const held = await hold(world, "other", 1);
    await Promise.all(held.begun);
    const work = (name: string) => () =>
      world.run(async (db) => void (await valueOf(db))).then(() => ended.push(name));
    const site = "2001:db8:1::/48";
    const many = times(60, (number) =>
      onBehalfOf({ client: `2001:db8:1:${number}::/64`, within: [site], gone: null }, work("busy")),
    );
    const one = forClient("quiet", work("quiet"));
    await held.end();
    await Promise.all([...many, one]);
    expect(ended.indexOf("quiet")).toBeLessThanOrEqual(4);
  });

  test("is refused where its client has the most, once too much waits", async () => {
    await using world = await openPoolWorld({ requestSlots: 1 });
    const held = await hold(world, "other", 1);
    await Promise.all(held.begun);
    const order: string[] = [];
    const send = async (client: string) => {
      const text = await forClient(client, () => valueOf(world.pool.read)).then(
        () => `${client}: answered`,
        (error: Error) => `${client}: ${error.message}`,
      );
      order.push(text);
      return text;
    };
    const sent = [
      ...times(waitingMax + 100, () => send("busy")),
      ...times(20, (number) => send(`quiet ${number}`)),
    ];
    await held.end();
    const counts = Map.groupBy(await Promise.all(sent), (text) => text.replace(/ \d+/, ""));
    expect(Object.fromEntries([...counts].map(([text, { length }]) => [text, length]))).toEqual({
      "busy: answered": waitingMax - 20,
      "busy: The database has too much to do right now: try again in a few seconds": 120,
      "quiet: answered": 20,
    });
    // Or it would ask again at once, and leave no time for the others.
    const firstRefused = order.findIndex((text) => text.includes("too much to do"));
    expect(firstRefused).toBeGreaterThan(order.findLastIndex((text) => text.startsWith("quiet")));
  });

  test.each([
    [2, 1],
    [4, 3],
    [10, 8],
  ])(
    "finds one of %i connections where the transactions of another client do not end",
    async (slots, most) => {
      await using world = await openPoolWorld({ requestSlots: slots });
      const held = await hold(world, "busy", slots + 2);
      await Promise.all(held.begun.slice(0, most));
      expect(await forClient("quiet", () => world.run((db) => increment(db)))).toBe(1);
      expect(await forClient("quiet", () => valueOf(world.pool.read))).toBe(1);
      expect(world.pool.stats().requests).toMatchObject({ inUse: most, waiting: slots + 2 - most });
      await held.end();
    },
  );

  test("begins a further run before what else its client waits for", async () => {
    await using world = await openPoolWorld({ requestSlots: 1 });
    const ended: string[] = [];
    let left = 1;
    world.proxy.onStatement((text) => (text === "COMMIT" && left-- > 0 ? { sqlState: "40001" } : null));
    const first = forClient("busy", () => world.run((db) => increment(db))).then(() => ended.push("first"));
    const held = await hold(world, "busy", 1);
    const others = times(30, () => forClient("busy", () => world.run((db) => valueOf(db))));
    const all = others.map((other) => other.then(() => ended.push("other")));
    await Promise.all(held.begun);
    while (world.pool.stats().requests.waiting < 31) await Bun.sleep(1);
    await held.end();
    await Promise.all([first, ...all]);
    expect(ended.slice(0, 2)).toEqual(["first", "other"]);
  });

  test("keeps no job waiting, for reads, writes or transactions", async () => {
    await using world = await openPoolWorld({ requestSlots: 2 });
    const held = await hold(world, "busy", 1);
    const program = await hold(world, "", 1);
    await Promise.all([...held.begun, ...program.begun]);
    const { read, write } = world.pool.jobs;
    await write.send("UPDATE counters SET value = 5 WHERE name = 'other'", []);
    expect(await valueOf(read, "other")).toBe(5);
    await world.transactions.inLane("jobs")(() => Promise.resolve());
    await held.end();
    await program.end();
  });
});
