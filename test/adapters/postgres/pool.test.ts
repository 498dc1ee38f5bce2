import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseAddress } from "../../../src/adapters/postgres/connections/address.ts";
import { openPool } from "../../../src/adapters/postgres/connections/pool.ts";
import { findServer } from "../../../src/adapters/postgres/connections/primary.ts";
import { openFaultProxy } from "../../support/fault-proxy.ts";
import { postgresMissing } from "../../support/postgres.ts";
import { endConnections, increment, openPoolWorld, valueOf, type PoolWorld } from "./pool-world.ts";

if (postgresMissing !== null) console.error(`NOT RUN: connections to PostgreSQL (${postgresMissing})`);

const silent = { info: () => undefined, warn: () => undefined };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );
const away = { kind: "unavailable" };

describe.skipIf(postgresMissing !== null)("a pool", () => {
  let world: PoolWorld;
  beforeAll(async () => (world = await openPoolWorld()));
  afterAll(() => world[Symbol.asyncDispose]());

  test("gives numbers, texts, flags and nulls as they are", async () => {
    const text = "SELECT $1::bigint, count(*), $2::text, $3::boolean, $4::text FROM generate_series(1, 2)";
    const [row] = await world.pool.read.send(text, [2 ** 40, "a", true, null]);
    expect(row).toEqual([2 ** 40, 2, "a", true, null]);
  });

  test("answers many more at once than it has connections", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => world.pool.read.send("SELECT $1::bigint", [index])),
    );
    expect(answers.map(([row]) => row?.[0])).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(world.pool.stats().requests).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test("shows no value in a failure", async () => {
    const secret = "alice@example.org";
    await world.pool.write.send("INSERT INTO counters VALUES ($1, 1)", [secret]);
    for (const text of [
      "INSERT INTO counters VALUES ($1, 1)",
      "SELECT $1::text::bigint",
      "SELECT $1::text FROM nowhere",
    ]) {
      const error = await failureOf(world.pool.write.send(text, [secret]));
      expect(error).toBeInstanceOf(Error);
      expect(Bun.inspect(error)).not.toContain("alice");
    }
  });

  test("reads once more when the server ended all connections", async () => {
    await Promise.all(Array.from({ length: 20 }, () => world.pool.read.send("SELECT pg_sleep(0.01)", [])));
    await endConnections(world);
    const answers = await Promise.all(Array.from({ length: 50 }, () => valueOf(world.pool.read)));
    expect(answers).toEqual(Array.from({ length: 50 }, () => answers[0] ?? NaN));
  });

  test("gives up a statement without an answer, and those that come later go on", async () => {
    const isSent = Promise.withResolvers<void>();
    world.proxy.onStatement((text) => {
      if (!text.includes("'stalled'")) return null;
      isSent.resolve();
      return "stallAnswer";
    });
    const stalled = failureOf(world.pool.read.send("SELECT 'stalled', $1::bigint", [1]));
    await isSent.promise;
    // What comes at once shares its connection.
    await Bun.sleep(5);
    expect(await valueOf(world.pool.read)).toBe(0);
    expect(await stalled).toMatchObject(away);
    world.proxy.onStatement(() => null);
    expect(world.pool.isOpen()).toBeTrue();
    expect(await valueOf(world.pool.read)).toBe(0);
  });

  test("sends no read behind a write, which may wait for a standby", async () => {
    world.proxy.onStatement((text) => (text.startsWith("UPDATE") ? "stallAnswer" : null));
    const stalled = failureOf(world.pool.write.send("UPDATE counters SET value = 1 WHERE name = 'none'", []));
    expect(await Promise.all([valueOf(world.pool.read), valueOf(world.pool.read)])).toHaveLength(2);
    expect(await stalled).toMatchObject(away);
    world.proxy.onStatement(() => null);
  });

  test("does not repeat a write whose answer was lost", async () => {
    world.proxy.onStatement((text) => (text.startsWith("UPDATE") ? "loseAnswer" : null));
    const text = "UPDATE counters SET value = value + 1 WHERE name = 'other'";
    expect(await failureOf(world.pool.write.send(text, []))).toMatchObject(away);
    world.proxy.onStatement(() => null);
    expect(await valueOf(world.pool.read, "other")).toBe(1);
  });
});

describe.skipIf(postgresMissing !== null)("while the network", () => {
  test("refuses, all fails at once, and it comes back by itself", async () => {
    await using world = await openPoolWorld();
    world.proxy.refuse();
    world.proxy.cut();
    expect(await failureOf(valueOf(world.pool.read))).toMatchObject(away);
    expect(world.pool.isOpen()).toBeFalse();
    const many = Array.from({ length: 200 }, () => failureOf(increment(world.pool.read)));
    for (const failure of await Promise.all(many)) expect(failure).toMatchObject(away);
    expect(world.pool.stats().requests).toMatchObject({ inUse: 0, waiting: 0 });
    await world.proxy.heal();
    while (!world.pool.isOpen()) await Bun.sleep(50);
    expect(await valueOf(world.pool.read)).toBe(0);
    expect(world.lines.map((line) => line.split(" {")[0])).toEqual([
      "the database cannot be reached",
      "the database is reached again",
    ]);
    expect(world.lines.join("\n")).not.toContain("postgres:");
  });

  test("stalls, what is under way fails in time, the rest at once", async () => {
    await using world = await openPoolWorld();
    await valueOf(world.pool.read);
    world.proxy.stall();
    const first = Array.from({ length: 100 }, () => failureOf(valueOf(world.pool.read)));
    const changes = Array.from({ length: 100 }, () => failureOf(world.run((db) => increment(db))));
    for (const failure of await Promise.all([...first, ...changes])) expect(failure).toMatchObject(away);
    while (world.pool.isOpen()) await Bun.sleep(50);
    expect(await failureOf(valueOf(world.pool.read))).toMatchObject(away);
    await world.proxy.heal();
    while (!world.pool.isOpen()) await Bun.sleep(50);
    expect(await world.run((db) => increment(db))).toBe(1);
  });
});

test.skipIf(postgresMissing !== null)("uses the server of the list that can be reached", async () => {
  await using world = await openPoolWorld();
  await using closed = await openFaultProxy({ target: { host: "127.0.0.1", port: 1 } });
  closed.refuse();
  const { port } = new URL(world.proxy.url);
  const list = world.proxy.url.replace(`127.0.0.1:${port}`, `127.0.0.1:${closed.port},127.0.0.1:${port}`);
  await using pool = openPool({
    address: parseAddress(list),
    requestSlots: 1,
    prepared: true,
    applicationName: "test",
    log: silent,
  });
  await pool.start();
  expect(pool.server()).toMatchObject({ port: Number(port) });
  expect(await valueOf(pool.read)).toBe(0);
});

test.skipIf(postgresMissing !== null)(
  "goes on with what it has when the server takes no more connections",
  async () => {
    await using world = await openPoolWorld();
    const role = `limited_${crypto.randomUUID().replaceAll("-", "")}`;
    await world.pool.write.send(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 3 PASSWORD '${role}'`, []);
    const address = new URL(world.proxy.url);
    address.username = role;
    address.password = role;
    {
      await using pool = openPool({
        address: parseAddress(address.href),
        requestSlots: 8,
        prepared: true,
        applicationName: "limited",
        log: silent,
      });
      await pool.start();
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => pool.read.send("SELECT pg_sleep(0.01), 7::bigint", [])),
      );
      expect(answers.map(([row]) => row?.[1])).toEqual(Array.from({ length: 60 }, () => 7));
      expect(pool.stats().requests.open).toBeLessThanOrEqual(3);
    }
    await world.pool.write.send(`ALTER ROLE ${role} CONNECTION LIMIT 0`, []);
    const list = parseAddress(address.href.replace(address.host, `${address.host},127.0.0.1:1`));
    // Whatever the others say: one that is full is still there.
    expect(
      await failureOf(findServer({ ...world.pool.options, address: list }, { role: "primary" })),
    ).toMatchObject({
      kind: "full",
      message: expect.stringContaining("127.0.0.1:1: nothing listens there"),
    });
    await world.pool.write.send(`DROP ROLE ${role}`, []);
  },
);

test.skipIf(postgresMissing !== null)("looks at the database wait for no write of the node", async () => {
  await using world = await openPoolWorld();
  const ended: string[] = [];
  const writes = [1, 2, 3].map(() =>
    world.pool.node.send("SELECT pg_sleep(0.3)", []).then(() => ended.push("a write")),
  );
  await world.pool.looks.send("SELECT 1", []).then(() => ended.push("a look"));
  await Promise.all(writes);
  expect(ended).toEqual(["a look", "a write", "a write", "a write"]);
});
