import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openLeadership } from "../../src/adapters/postgres/cluster/leadership.ts";
import { holdLease, leaseOf } from "../../src/adapters/postgres/cluster/lease.ts";
import type { Term } from "../../src/domain/ports/leadership.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodeDatabase } from "./node-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: leases of nodes (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)("a lease", () => {
  let world: Awaited<ReturnType<typeof openNodeDatabase>>;
  let count = 0;
  beforeAll(async () => (world = await openNodeDatabase()));
  afterAll(() => world[Symbol.asyncDispose]());

  const lease = (holder: string, name = `lease-${count}`) => leaseOf(world.pool.write, name, holder);
  const newName = () => `lease-${++count}`;
  const endOf = (name: string) =>
    world.pool.write.send("UPDATE leases SET until = 1 WHERE name = $1", [name]);

  test("is one holder's, however many ask at once", async () => {
    const name = newName();
    const holders = Array.from({ length: 20 }, (_, index) => lease(`node-${index}`, name));
    const terms = await Promise.all(holders.map((one) => one.take()));
    expect(terms.filter((term) => term !== null)).toEqual([1]);
  });

  test("is prolonged by its holder alone, in its own term", async () => {
    const name = newName();
    const [one, other] = [lease("one", name), lease("other", name)];
    expect(await one.take()).toBe(1);
    expect(await one.take()).toBeNull();
    expect(await one.prolong(1)).toBe(true);
    expect(await one.prolong(2)).toBe(false);
    expect(await other.prolong(1)).toBe(false);
  });

  test("that is over is another's next term, and the first one's no more", async () => {
    const name = newName();
    const [one, other] = [lease("one", name), lease("other", name)];
    await one.take();
    await endOf(name);
    expect(await one.prolong(1)).toBe(false);
    expect(await other.take()).toBe(2);
    await one.giveBack(1);
    expect(await other.prolong(2)).toBe(true);
  });

  test("that was given back is free at once", async () => {
    const name = newName();
    const [one, other] = [lease("one", name), lease("other", name)];
    await one.take();
    await one.giveBack(1);
    expect(await other.take()).toBe(2);
    await using held = await holdLease(lease("third", name));
    expect(held).toBeNull();
  });

  test("lets a transaction pass as long as it is held", async () => {
    const name = newName();
    const one = lease("one", name);
    await one.take();
    await world.pool.transaction("jobs", (session) => one.requireHeld(session, 1));
    await endOf(name);
    const late = world.pool.transaction("jobs", (session) => one.requireHeld(session, 1));
    expect(await late.catch((error: unknown) => error)).toMatchObject({ kind: "unavailable" });
  });
});

const noTransaction = () => Promise.reject(new Error("no transaction here"));

describe.skipIf(postgresMissing !== null)("the leader", () => {
  const silent = { info: () => undefined, warn: () => undefined };

  const lead = (world: Awaited<ReturnType<typeof openNodeDatabase>>, holder: string) =>
    openLeadership({
      lease: leaseOf(world.pool.write, "leader", holder),
      atomicallyWithin: () => noTransaction,
      log: silent,
    });

  test("is one node; the next one leads once it stops, and not before its work has ended", async () => {
    await using world = await openNodeDatabase();
    const events: string[] = [];
    const began = Promise.withResolvers<Term>();
    const beganNext = Promise.withResolvers<Term>();
    const one = lead(world, "one");
    one.whileLeading((term) => {
      events.push("one begins");
      began.resolve(term);
      return {
        [Symbol.asyncDispose]: async () => {
          await Bun.sleep(50);
          events.push("one has ended");
        },
      };
    });
    const term = await began.promise;
    expect([one.isLeader(), term.isHeld()]).toEqual([true, true]);
    await using other = lead(world, "other");
    other.whileLeading((next) => {
      events.push("other begins");
      beganNext.resolve(next);
      return new AsyncDisposableStack();
    });
    await one[Symbol.asyncDispose]();
    expect([one.isLeader(), term.isHeld(), term.signal.aborted]).toEqual([false, false, true]);
    expect((await beganNext.promise).isHeld()).toBe(true);
    expect(events).toEqual(["one begins", "one has ended", "other begins"]);
  }, 60_000);

  test("ends its work when another one has the lease, and leads again in a later term", async () => {
    await using world = await openNodeDatabase();
    const terms: Term[] = [];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using one = lead(world, "one");
    one.whileLeading((term) => {
      terms.push(term);
      (terms.length === 1 ? first : second).resolve();
      return new AsyncDisposableStack();
    });
    await first.promise;
    await world.pool.write.send(
      "UPDATE leases SET holder = 'thief', term = term + 1, until = until - 9000",
      [],
    );
    await second.promise;
    expect(terms.map((term) => term.isHeld())).toEqual([false, true]);
    expect(await world.pool.write.send("SELECT holder, term FROM leases WHERE name = 'leader'", [])).toEqual([
      ["one", 3],
    ]);
  }, 60_000);
});
