/**
 * What nodes on one database share beside rows of their community: attempts, used things, joins and calls.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { shareAttempts } from "../../src/adapters/postgres/cluster/attempt-counts.ts";
import { shareCallGate } from "../../src/adapters/postgres/cluster/call-gate.ts";
import { removeEnded } from "../../src/adapters/postgres/cluster/ended-rows.ts";
import { shareJoins } from "../../src/adapters/postgres/cluster/joins.ts";
import { shareOnce } from "../../src/adapters/postgres/cluster/once.ts";
import { createGateMemory } from "../../src/domain/game/call-gates.ts";
import { createRateLimits } from "../../src/domain/limits/rate-limits.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { newUuid, type AccountId, type SessionId } from "../../src/kernel/ids.ts";
import { address, alice, elsewhere, home, passing, send, wait } from "../limits/limits-world.ts";
import { rateLimitsSuite } from "../limits/rate-limits.suite.ts";
import { callGateSuite } from "../ports/call-gate.suite.ts";
import { joinsSuite } from "../ports/joins.suite.ts";
import { onceSuite } from "../ports/once.suite.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openSharedTables, type NodeSender } from "./shared-tables.ts";

if (postgresMissing !== null) console.error(`NOT RUN: what nodes share (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)("on PostgreSQL", () => {
  let tables: Awaited<ReturnType<typeof openSharedTables>>;
  let nodes: readonly [NodeSender, NodeSender];
  beforeAll(async () => {
    tables = await openSharedTables();
    nodes = [tables.join(), tables.join()];
  });
  afterAll(() => tables[Symbol.asyncDispose]());

  /** The rows of one test, as if the tables were empty; a hash keeps them apart. */
  let worlds = 0;
  const newHash = () => {
    const world = `world ${(worlds += 1)} `;
    return (text: string) => new Bun.CryptoHasher("sha256").update(world).update(text).digest("base64url");
  };
  const onBoth = <Store>(make: (db: NodeSender) => Store): readonly [Store, Store] => [
    make(nodes[0]),
    make(nodes[1]),
  ];

  onceSuite("PostgreSQL", () => {
    const hash = newHash();
    return onBoth((db) => shareOnce({ db, hash }));
  });
  joinsSuite("PostgreSQL", ({ nowSeconds: now }) => onBoth((db) => shareJoins({ db, now })));
  const openGates = (clock: Clock) => {
    const hash = newHash();
    const now = clock.nowSeconds;
    return onBoth((db) => {
      const own = createGateMemory(1000, clock);
      return shareCallGate({ db, hash, now, own, intervalMs: 1000 });
    });
  };
  callGateSuite("PostgreSQL", openGates);

  test("a call that took too long does not free the gate that another one has entered since", async () => {
    let time = 4_000_000_000;
    const now = () => time;
    const [one, other] = openGates({ nowSeconds: now, steadySeconds: now });
    expect(await one.enter("a")).toBe(0);
    time += 60;
    expect(await other.enter("a")).toBe(0);
    await one.leave("a", { holds: false });
    expect(await one.enter("a")).toBeGreaterThan(0);
    await other.leave("a", { holds: false });
    expect(await one.enter("a")).toBe(0);
  });

  rateLimitsSuite("limits", ({ nowSeconds: now }) => shareAttempts({ db: nodes[0], hash: newHash(), now }));

  /** The limits of two nodes, whose clocks stand still until a test turns them. */
  function openNodes() {
    let time = 4_000_000_000;
    const hash = newHash();
    const limits = onBoth((db) =>
      createRateLimits({ factor: 1, attempts: shareAttempts({ db, hash, now: () => time }) }),
    );
    return { limits, turn: (seconds: number) => void (time += seconds) };
  }

  describe("two nodes count together", () => {
    test("attempts at a password", async () => {
      const { limits, turn } = openNodes();
      expect(await passing((n) => send(limits[n % 2 === 0 ? 0 : 1].signIn, alice))).toBe(5);
      turn(1);
      expect(await wait(() => send(limits[0].signIn, alice))).toBe(59);
      expect(await wait(() => send(limits[1].signIn, alice))).toBe(59);
      turn(59);
      expect(await wait(() => send(limits[1].signIn, alice))).toBe(0);
    });

    test("attempts of an address at many accounts", async () => {
      const { limits } = openNodes();
      const guess = (n: number) =>
        send(limits[n % 2 === 0 ? 0 : 1].signIn, { account: `a${n}`, address: home });
      expect(await passing(guess)).toBe(20);
      expect(await wait(() => send(limits[0].signIn, { account: "b", address: home }))).toBe(60);
      expect(await wait(() => send(limits[1].signIn, { account: "b", address: home }))).toBe(60);
      expect(await wait(() => send(limits[1].signIn, { account: "b", address: elsewhere }))).toBe(0);
    });

    test("exactly, when all come at once", async () => {
      const { limits } = openNodes();
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          wait(() => limits[n % 2 === 0 ? 0 : 1].register.take({ address: home })),
        ),
      );
      expect(answers.filter((seconds) => seconds === 0)).toHaveLength(20);
    });

    test("exactly, for a customer's whole IPv6 network when all come at once", async () => {
      const { limits } = openNodes();
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, n) =>
          wait(() => limits[n % 2 === 0 ? 0 : 1].code.take({ address: `2001:db8:1:${n.toString(16)}::1` })),
        ),
      );
      expect(answers.filter((seconds) => seconds === 0)).toHaveLength(80);
    });

    test("codes for new addresses of one account", async () => {
      const { limits } = openNodes();
      const order = (n: number) => limits[n % 2 === 0 ? 0 : 1].mailChange.take({ account: 7 as AccountId });
      expect(await passing(order)).toBe(5);
    });

    test("what a success forgets", async () => {
      const { limits } = openNodes();
      for (let n = 0; n < 4; n++) await send(limits[0].signIn, alice);
      await limits[1].signIn.reset(alice, { account: null, address: false });
      expect(await passing(() => send(limits[0].signIn, alice))).toBe(5);
    });

    test("what a right password at the address makes good for, within seconds", async () => {
      const { limits, turn } = openNodes();
      const guess = (n: number) => send(limits[0].signIn, { account: `a${n}`, address: home });
      const right = { account: "right", address: home };
      await send(limits[1].signIn, right);
      expect(await passing(guess)).toBe(19);
      expect(await wait(() => guess(50))).toBe(60);
      await limits[1].signIn.reset(right, { account: null, address: true });
      turn(5);
      expect(await wait(() => guess(51))).toBe(0);
      expect(await wait(() => guess(52))).toBe(55);
    });

    test("a request that arrives and is not understood", async () => {
      const { limits } = openNodes();
      for (let n = 0; n < 20; n++) {
        const arrival = limits[0].signIn.takeHere({ address: home });
        await arrival.takeForAll();
        await arrival.takeForAll();
      }
      expect(await wait(() => send(limits[1].signIn, alice))).toBe(60);
    });

    test("what was refused for others costs the address nothing", async () => {
      const { limits } = openNodes();
      await passing((n) => send(limits[n % 2 === 0 ? 0 : 1].signIn, alice));
      for (let n = 0; n < 50; n++) await wait(() => send(limits[n % 2 === 0 ? 0 : 1].signIn, alice));
      const guess = (n: number) =>
        send(limits[n % 2 === 0 ? 0 : 1].signIn, { account: `a${n}`, address: home });
      expect(await passing(guess)).toBe(15);
    });
  });

  test("a flood costs the database next to nothing, on either node", async () => {
    const { limits, turn } = openNodes();
    for (const limit of limits) await passing(() => send(limit.signIn, alice));
    const before = [nodes[0].sent(), nodes[1].sent()];
    for (let n = 0; n < 1000; n++) {
      for (const limit of limits) {
        await wait(() => send(limit.signIn, alice));
        await Promise.all([1, 2, 3].map(() => wait(() => send(limit.signIn, alice))));
      }
      if (n % 250 === 249) turn(5);
    }
    const sent = nodes.map((node, at) => node.sent() - (before[at] ?? 0));
    // Each node asks again every five seconds, and undoes what it counted for the address then.
    expect(Math.max(...sent)).toBeLessThanOrEqual(8);
  });

  test("a sign-in is counted by one statement, and its success by another", async () => {
    const { limits } = openNodes();
    const before = nodes[0].sent();
    await send(limits[0].signIn, { account: "Alice", address: "2001:db8::1" });
    expect(nodes[0].sent() - before).toBe(1);
    await limits[0].signIn.reset(
      { account: "Alice", address: "2001:db8::1" },
      { account: null, address: true },
    );
    expect(nodes[0].sent() - before).toBe(2);
  });

  test("while the database is away each node counts by itself, and goes on together afterwards", async () => {
    const { limits } = openNodes();
    {
      using _one = nodes[0].cut();
      using _other = nodes[1].cut();
      expect(await passing(() => send(limits[0].signIn, alice))).toBe(5);
      expect(await passing(() => send(limits[1].signIn, alice))).toBe(5);
      await limits[0].signIn.reset(alice, { account: null, address: false });
      expect(await passing((n) => limits[0].code.take({ address: address(n % 3) }))).toBe(60);
    }
    expect(await passing((n) => send(limits[n % 2 === 0 ? 0 : 1].signIn, alice))).toBe(5);
    expect(await wait(() => limits[0].code.take({ address: address(0) }))).toBe(60);
    expect(await wait(() => limits[1].code.take({ address: address(0) }))).toBe(0);
  });

  test("nothing works once that cannot be asked for", async () => {
    const once = shareOnce({ db: nodes[0], hash: newHash() });
    using _cut = nodes[0].cut();
    expect(await once.use("a", 4_102_444_800).catch((error: unknown) => error)).toMatchObject({
      kind: "unavailable",
    });
  });

  test("the tables hold no address, and rows go when they have ended", async () => {
    const { limits } = openNodes();
    const joins = shareJoins({ db: nodes[0], now: () => 4_000_000_000 });
    await removeEnded(nodes[0], 5_000_000_000);
    await limits[0].register.take({ address: home });
    await shareOnce({ db: nodes[0], hash: newHash() }).use("login discord", 4_000_000_600);
    const session = newUuid() as string as SessionId;
    await joins.keep({ player: newUuid(), name: "Anna", serverId: "a", address: home, session });
    const rows = await nodes[0].send(
      "SELECT key FROM attempt_counts UNION ALL SELECT key FROM used_once",
      [],
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/anna|example|192\.0\.2|discord/i);
    expect(await removeEnded(nodes[0], 4_000_000_029)).toBe(0);
    expect(await removeEnded(nodes[0], 4_000_000_030)).toBe(1);
    expect(await removeEnded(nodes[0], 4_000_000_600)).toBe(2);
  });
});
