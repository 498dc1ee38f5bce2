import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseAddress } from "../../../src/adapters/postgres/connections/address.ts";
import { PolledFeed, pruneChanges } from "../../../src/adapters/postgres/feed/change-feed.ts";
import { openPostgres, type PostgresDatabase } from "../../../src/adapters/postgres/database.ts";
import type { Sender } from "../../../src/adapters/sql/sender.ts";
import type { Change, ChangeFeed } from "../../../src/domain/ports/change-feed.ts";
import { lentDatabase } from "../../support/lent-postgres.ts";
import { openPostgresProxy, type PostgresProxy } from "../../support/postgres-proxy.ts";
import { postgresMissing } from "../../support/postgres.ts";
import { insertMember } from "../../ports/stores.suite.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the change feed of PostgreSQL (${postgresMissing})`);

const silent = { info: () => undefined, warn: () => undefined };
const insert = (at = "extract(epoch FROM clock_timestamp())") =>
  `INSERT INTO change (id, kind, subject, at) VALUES ($1, 'player', $2, floor(${at}))`;

/** What the feed says from now on. */
function listen(feed: ChangeFeed) {
  const changes: Change[] = [];
  const subscription = feed.subscribe((change) => void changes.push(change));
  return {
    changes,
    until: async (isEnough: () => boolean) => {
      while (!isEnough()) await Bun.sleep(10);
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

describe.skipIf(postgresMissing !== null)("the change feed of PostgreSQL", () => {
  let proxy: PostgresProxy;
  let opened: AsyncDisposableStack;
  let one: PostgresDatabase;
  let other: PostgresDatabase;
  let db: Sender;
  let nextId = 1_000;
  const note = (subject: string, id = nextId++) => db.send(insert(), [id, subject]);

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    const { url } = opened.use(await lentDatabase());
    proxy = opened.use(await openPostgresProxy(url));
    const open = async (address: string, nodeName: string, prepared: boolean) =>
      opened.use(
        await openPostgres({
          setting: { address: parseAddress(address), readAddress: null, poolMax: 2, prepared },
          nodeName,
          log: silent,
        }),
      );
    one = await open(url, "one", true);
    other = await open(proxy.url, "other", false);
    db = one.pool.node;
  });
  afterAll(() => opened.disposeAsync());

  test("has what another node commits, without notices", async () => {
    using heard = listen(other.engine.changes);
    const before = other.engine.changes.position();
    await note("a");
    await heard.until(() => heard.changes.flat().includes("player:a"));
    expect(other.engine.changes.position()).toBeGreaterThan(before);
  });

  test("has a row once whose number is lower than one that was read before", async () => {
    using heard = listen(other.engine.changes);
    const [late, early] = [nextId + 1, nextId];
    nextId += 2;
    await note("late", late);
    await heard.until(() => heard.changes.flat().includes("player:late"));
    await note("early", early);
    await heard.until(() => heard.changes.flat().includes("player:early"));
    await note("last");
    await heard.until(() => heard.changes.flat().includes("player:last"));
    // What tests before it changed may be heard late.
    const asked = ["player:late", "player:early", "player:last"] as const;
    const all: readonly string[] = heard.changes.flat();
    expect(all.filter((subject) => asked.some((one) => one === subject))).toEqual([...asked]);
  });

  test("has what its own node commits when the commit is answered, and the other node soon", async () => {
    using heard = listen(other.engine.changes);
    using own = listen(one.engine.changes);
    const { player } = await one.engine.atomically((stores) => insertMember(stores, "alice"));
    if (player === null) throw new Error("the member has no player");
    own.changes.length = 0;
    await one.engine.atomically(({ players }) => players.renamePlayer(player.id, "bob"));
    expect(own.changes.flat()).toContain(`player:${player.uuid}`);
    heard.changes.length = 0;
    await heard.until(() => heard.changes.flat().includes(`player:${player.uuid}`));
  });

  test("has nothing of what was rolled back", async () => {
    const { player } = await one.engine.atomically((stores) => insertMember(stores, "carol"));
    if (player === null) throw new Error("the member has no player");
    using own = listen(one.engine.changes);
    const failed = one.engine.atomically(async ({ players }) => {
      await players.renamePlayer(player.id, "dave");
      throw new Error("no");
    });
    expect(await failed.catch(String)).toContain("no");
    await note("afterwards");
    await own.until(() => own.changes.flat().includes("player:afterwards"));
    expect(
      own.changes.flat().filter((subject) => subject === `player:${player.uuid}`).length,
    ).toBeLessThanOrEqual(1);
  });

  test("has a row whose COMMIT waited for fifteen seconds", async () => {
    const [late, early] = [nextId + 1, nextId];
    nextId += 2;
    const written = "extract(epoch FROM clock_timestamp()) - 15";
    await db.send(insert(written), [late, "kept-at-once"]);
    await using feed = new PolledFeed(db, one.engine.clock);
    await feed.start();
    using heard = listen(feed);
    await db.send(insert(written), [early, "kept-late"]);
    await heard.until(() => heard.changes.flat().includes("player:kept-late"));
  });

  test("has a row whose number was another row's on a server that is gone", async () => {
    using heard = listen(other.engine.changes);
    const id = nextId++;
    await note("lost", id);
    await heard.until(() => heard.changes.flat().includes("player:lost"));
    await db.send("DELETE FROM change WHERE id = $1", [id]);
    await note("again", id);
    await heard.until(() => heard.changes.flat().includes("player:again"));
  });

  test("says that anything may have changed when another server is asked", async () => {
    await using feed = new PolledFeed(db, one.engine.clock);
    await feed.start();
    using heard = listen(feed);
    feed.restart();
    await heard.until(() => heard.changes.includes("interrupted"));
    await note("after");
    await heard.until(() => heard.changes.flat().includes("player:after"));
  });

  test("is fresh as long as it hears of the database, and goes on after an outage", async () => {
    const feed = other.engine.changes;
    expect(feed.isFresh()).toBeTrue();
    proxy.refuse();
    proxy.cut();
    const now = performance.now();
    expect(feed.isFresh(now + 20_000)).toBeTrue();
    expect(feed.isFresh(now + 31_000)).toBeFalse();
    while (other.statistics().feedLagSeconds < 2.5) await Bun.sleep(50);
    expect(await other.engine.probe().catch((error: unknown) => error)).toMatchObject({
      kind: "unavailable",
    });
    using heard = listen(feed);
    await note("during");
    await proxy.heal();
    await heard.until(() => heard.changes.flat().includes("player:during"));
    expect(heard.changes).not.toContain("interrupted");
    await other.engine.probe();
  });

  test("keeps rows for ten minutes", async () => {
    const old = "extract(epoch FROM clock_timestamp()) - 700";
    await db.send(insert(old), [0, "old"]);
    await note("young");
    await pruneChanges(db);
    const rows = await db.send("SELECT subject FROM change WHERE subject IN ('old', 'young')", []);
    expect(rows).toEqual([["young"]]);
  });
});
