import { describe, expect, test } from "bun:test";
import { makePlace } from "../../src/adapters/postgres/database.ts";
import { leaseOf } from "../../src/adapters/postgres/cluster/lease.ts";
import { requireSecret } from "../../src/adapters/postgres/cluster/marks.ts";
import { migrateSchema } from "../../src/adapters/postgres/migrate.ts";
import { migrations } from "../../src/adapters/postgres/migrations.ts";
import {
  enterNodes,
  listNodes,
  pruneNodes,
  refuseLiveNodes,
  type NodeRules,
  type NodeTable,
} from "../../src/adapters/postgres/cluster/nodes.ts";
import type { Pool } from "../../src/adapters/postgres/connections/pool.ts";
import { createTransactions } from "../../src/adapters/postgres/transact.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { openNodeDatabase } from "./node-database.ts";
import { until } from "./node-processes.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the list of nodes (${postgresMissing})`);

const own = (name: string, url = "one") => ({
  name,
  version: "1.0.0",
  schema: migrations.length,
  settings: { PUBLIC_URL: url, CONSOLE: "abc" },
});
const rules: NodeRules = {
  refuse: () => undefined,
  onBeat: async () => undefined,
  onNodes: () => undefined,
  onFault: () => undefined,
};
/** As a node has them whose PUBLIC_URL must be that of the others. */
const withUrl = (url: string, onFault: NodeRules["onFault"] = () => undefined): NodeRules => ({
  ...rules,
  onFault,
  refuse: (others) => {
    if (others.some(({ settings }) => settings?.["PUBLIC_URL"] !== url))
      throw new PlainError("conflict", "another PUBLIC_URL");
  },
});

function tableOf(pool: Pool): NodeTable {
  const { inLane } = createTransactions({
    pool,
    makePlace: (sender) => makePlace(sender, systemClock, () => undefined),
  });
  return { sender: pool.node, atOnce: (work) => inLane("jobs", work)(async () => undefined) };
}

describe.skipIf(postgresMissing !== null)("a node", () => {
  test("is listed while it runs, with what it leads, and is gone when it stops", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    const table = tableOf(world.pool);
    const one = await enterNodes(table, own("one"), rules);
    await using _other = await enterNodes(table, own("other"), rules);
    await leaseOf(sender, "leader", one?.holder ?? "").take();
    expect(await listNodes(sender)).toEqual([
      { ...own("one"), startedAt: expect.any(Number), silentSeconds: 0, isAlive: true, leads: true },
      { ...own("other"), startedAt: expect.any(Number), silentSeconds: 0, isAlive: true, leads: false },
    ]);
    await one?.[Symbol.asyncDispose]();
    expect((await listNodes(sender)).map(({ name }) => name)).toEqual(["other"]);
  });

  test("does not get the name of another one that runs, but that of one that ended without a word", async () => {
    await using world = await openNodeDatabase();
    const table = tableOf(world.pool);
    await using _first = await enterNodes(table, own("one"), rules);
    expect(await enterNodes(table, own("one"), rules)).toBeNull();
    await table.sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    await using again = await enterNodes(table, own("one"), rules);
    expect(again?.holder).toMatch(/^one\/\d+$/);
  });

  test("keeps others from what would break it, until it has been silent for long enough", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    await refuseLiveNodes(sender);
    await using _one = await enterNodes(tableOf(world.pool), own("one"), rules);
    expect(await refuseLiveNodes(sender).catch((error: Error) => error.message)).toBe(
      "one serves from this database: stop every node first (one that was killed counts for 15 seconds)",
    );
    await sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    await refuseLiveNodes(sender);
    await sender.send("UPDATE nodes SET seen_at = seen_at - 86400000", []);
    await pruneNodes(sender);
    expect(await listNodes(sender)).toEqual([]);
  });

  test("does not lead any more when it was killed, before the next leader", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    await using one = await enterNodes(tableOf(world.pool), own("one"), rules);
    await leaseOf(sender, "leader", one?.holder ?? "").take();
    // It has prolonged nothing for seven seconds, and the lease holds for three more.
    await sender.send("UPDATE leases SET until = until - 7000", []);
    expect(await listNodes(sender)).toMatchObject([{ isAlive: true, leads: false }]);
    await sender.send("UPDATE leases SET until = until + 7000", []);
    await sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    expect(await listNodes(sender)).toMatchObject([{ isAlive: false, leads: false }]);
  });

  test("is refused with another secret than that of the first one", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    await Promise.all(Array.from({ length: 10 }, () => requireSecret(sender, "fingerprint")));
    const refusal = await requireSecret(sender, "another").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("JWT_SECRET is another one"),
    });
  });

  test("that must not serve beside another one is refused, also when both start at once", async () => {
    await using world = await openNodeDatabase();
    const table = tableOf(world.pool);
    for (let round = 0; round < 10; round++) {
      await using entered = new AsyncDisposableStack();
      const enter = async (url: string) => entered.use(await enterNodes(table, own(url, url), withUrl(url)));
      const results = await Promise.allSettled(["one", "two", "three"].map(enter));
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
      expect(await listNodes(table.sender)).toHaveLength(1);
    }
  });

  test("that was silent goes on, and one with another PUBLIC_URL that came meanwhile ends", async () => {
    await using world = await openNodeDatabase();
    const table = tableOf(world.pool);
    const faults: Record<string, unknown[]> = { one: [], two: [], next: [] };
    const enter = (name: string, url: string) =>
      enterNodes(
        table,
        own(name, url),
        withUrl(url, (error) => faults[name]?.push(error)),
      );
    await using _one = await enter("one", "ours");
    await using _two = await enter("two", "ours");
    // As after an outage of the database: the newcomer is the first that reaches it.
    await table.sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    await using _next = await enter("next", "another");
    await until(async () => faults["next"]?.length !== 0);
    await until(async () => (await listNodes(table.sender)).every(({ isAlive }) => isAlive));
    expect(faults).toMatchObject({
      one: [],
      two: [],
      next: expect.arrayContaining([
        expect.objectContaining({ kind: "conflict", message: "another PUBLIC_URL" }),
      ]),
    });
  }, 30_000);

  test("of a release without digests is listed without, also in the row of a former node of its name", async () => {
    await using world = await openNodeDatabase();
    const { sender, ...table } = tableOf(world.pool);
    await using _one = await enterNodes({ sender, ...table }, own("one"), rules);
    await sender.send("UPDATE nodes SET version = '0.1', schema = 2", []);
    expect(await listNodes(sender)).toMatchObject([{ name: "one", settings: null }]);
  });

  test("is listed from a database that has no column for digests yet", async () => {
    await using database = await emptyDatabase();
    await using session = await openWorkSession(notedDatabase(database.url));
    const alone = { [Symbol.asyncDispose]: async () => undefined };
    await migrateSchema({ session, hold: async () => alone, say: () => undefined }, migrations.slice(0, 2));
    await session.send(
      "INSERT INTO nodes (name, version, schema, started_at, seen_at) VALUES ('one', '0.1', 2, 0, 0)",
      [],
    );
    expect(await listNodes(session)).toMatchObject([{ name: "one", isAlive: false, settings: null }]);
  });
});
