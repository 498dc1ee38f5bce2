/**
 * Settings that a server does not know: a node leaves out those that nothing depends on, once, and says so
 * once.
 */
import { describe, expect, test } from "bun:test";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { refusedAtConnect } from "../../src/adapters/postgres/connections/connection-settings.ts";
import { openPool, type Pool } from "../../src/adapters/postgres/connections/pool.ts";
import type { Sender } from "../../src/adapters/sql/sender.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { openPoolWorld, type PoolWorld } from "../adapters/postgres/pool-world.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: settings of connections (${postgresMissing})`);

const strange = (name: string) => `${name.slice(0, -1)}_`;

/**
 * A real server that refuses settings, because on the way to it and back their names are those of settings
 * that it does not have.
 */
async function openUnknowing(url: string, names: readonly string[], isPooler = false) {
  const { hostname, port } = new URL(url);
  const asked = new Map(names.map((name) => [name, 0]));
  const replaced = (bytes: Buffer, change: (name: string) => readonly [string, string]) => {
    let text = bytes.toString("latin1");
    for (const name of names) text = text.replaceAll(...change(name));
    return Buffer.from(text, "latin1");
  };
  const proxy = await openFaultProxy({
    target: { host: hostname, port: Number(port || "5432") },
    filter: ({ toServer, toClient, endClient }) => ({
      fromClient: (bytes) => {
        // The first message of a connection begins with its length.
        if (isPooler && bytes[0] !== 0) return toServer(bytes);
        for (const name of names) if (bytes.includes(name)) asked.set(name, (asked.get(name) ?? 0) + 1);
        toServer(replaced(bytes, (name) => [name, strange(name)]));
      },
      fromServer: (bytes) => toClient(replaced(bytes, (name) => [strange(name), name])),
      serverEnded: endClient,
    }),
  });
  const through = new URL(url);
  through.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: through.href, asked };
}

async function openWorld(names: readonly string[], given: { readonly prepared: boolean }) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await emptyDatabase());
  const server = opened.use(await openUnknowing(database.url, names));
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const pool = opened.use(
    openPool({
      address: parseAddress(server.url),
      requestSlots: 3,
      applicationName: "test",
      log: { info: note, warn: note },
      ...given,
    }),
  );
  const closing = opened.move();
  return { server, pool, lines, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** Of each connection for requests, by as many statements at once as there are. */
function settingOf(pool: Pool, name: string): Promise<readonly unknown[]> {
  const ask = async () =>
    (await pool.write.send("SELECT current_setting($1), pg_sleep(0.05)", [name]))[0]?.[0];
  return Promise.all([ask(), ask(), ask()]);
}

const shown = (name: string) => (db: Sender) => db.send("SELECT current_setting($1)", [name]);
const write = (db: Sender) => db.send("UPDATE counters SET value = 7 WHERE name = 'one' RETURNING value", []);

const line = (settings: string) =>
  `the database takes not every setting of a connection: it goes on without {"settings":"${settings}"}`;

/** Another value than the server takes. */
const strangeValue = (bytes: Buffer) =>
  Buffer.from(bytes.toString("latin1").replace("jit\0off\0", "jit\0odd\0"), "latin1");

describe.skipIf(postgresMissing !== null)("a server that does not know", () => {
  test.each(["tcp_user_timeout", "jit", "plan_cache_mode", "jit, plan_cache_mode, tcp_user_timeout"])(
    "%s takes connections without, and the log says so once",
    async (names) => {
      const unknown = names.split(", ");
      await using world = await openWorld(unknown, { prepared: true });
      await world.pool.start();
      expect(await settingOf(world.pool, "statement_timeout")).toEqual(["5s", "5s", "5s"]);
      expect(await settingOf(world.pool, "enable_seqscan")).toEqual(["off", "off", "off"]);
      await using _work = await openWorkSession(notedDatabase(world.server.url));
      await world.pool.jobs.read.send("SELECT 1", []);
      expect(world.lines).toEqual([line(names)]);
    },
  );

  test("one of them is asked for it once in the life of a pool", async () => {
    await using world = await openWorld(["tcp_user_timeout"], { prepared: true });
    await world.pool.start();
    await settingOf(world.pool, "application_name");
    world.server.cut();
    // A read whose connection has ended is asked once more.
    await world.pool.read.send("SELECT 1", []);
    expect(world.server.asked.get("tcp_user_timeout")).toBe(1);
    expect(world.lines.filter((one) => one.includes("setting"))).toEqual([line("tcp_user_timeout")]);
  });

  test("one that is needed takes no connection, and says which it is", async () => {
    await using world = await openWorld(["lock_timeout"], { prepared: true });
    const fault = await world.pool.start().catch((error: unknown) => error);
    expect(String(fault)).toContain('unrecognized configuration parameter "lock_timeout" (42704)');
    expect(world.lines.join()).not.toContain("goes on without");
  });

  test.each(["tcp_user_timeout", "jit"])("%s begins transactions without it", async (name) => {
    await using database = await emptyDatabase();
    await using server = await openUnknowing(database.url, [name]);
    await using world = await openPoolWorld({ prepared: false, address: parseAddress(server.url) });
    expect(await world.run(write)).toEqual([[7]]);
    const asked = server.asked.get(name);
    expect(asked).toBeGreaterThan(0);
    const read = shown("lock_timeout");
    expect(await Promise.all([world.run(read), world.run(read)])).toEqual([[["2s"]], [["2s"]]]);
    expect(server.asked.get(name)).toBe(asked ?? 0);
    expect(world.lines).toEqual([line(name)]);
  });
});

describe.skipIf(postgresMissing !== null)("where a connection has no settings", () => {
  test("a setting that a pooler refuses when connecting is one of transactions", async () => {
    await using empty = await emptyDatabase();
    await using server = await openUnknowing(empty.url, ["jit"], true);
    const database = notedDatabase(server.url);
    await using _work = await openWorkSession(database);
    expect(server.asked.get("jit")).toBe(1);
    await using world = await openPoolWorld({ prepared: false, address: database.address });
    expect(await world.run(shown("jit"))).toEqual([["off"]]);
    expect(world.lines).toEqual([]);
  });

  test("one whose value a server does not take is left out", async () => {
    await using database = await emptyDatabase();
    const { hostname, port } = new URL(database.url);
    await using proxy = await openFaultProxy({
      target: { host: hostname, port: Number(port || "5432") },
      filter: ({ toServer, toClient, endClient }) => ({
        fromClient: (bytes) => toServer(strangeValue(bytes)),
        fromServer: toClient,
        serverEnded: endClient,
      }),
    });
    const noted = notedDatabase(database.url.replace(`:${port}/`, `:${proxy.port}/`));
    await using work = await openWorkSession(noted);
    expect(await work.send("SELECT 1", [])).toEqual([[1]]);
    expect(refusedAtConnect.names(noted.address)).toEqual(["jit"]);
  });

  test("a transaction has its own", async () => {
    await using world: PoolWorld = await openPoolWorld({ prepared: false });
    const settings = await world.run((db) =>
      db.send(
        "SELECT current_setting('jit'), current_setting('enable_seqscan'), current_setting('lock_timeout')",
        [],
      ),
    );
    expect(settings).toEqual([["off", "off", "2s"]]);
    const [after] = await world.pool.write.send("SELECT current_setting('lock_timeout')", []);
    expect(after).toEqual(["0"]);
  });
});
