import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openKeyRows, sealAgain } from "../../src/adapters/postgres/cluster/key-rows.ts";
import type { KeyKind } from "../../src/domain/ports/key-store.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodeDatabase } from "./node-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: keys in rows (${postgresMissing})`);

const secret = "correct horse battery staple, twice";

function kindOf(name: string, make: KeyKind["make"] = () => `made-${crypto.randomUUID()}`): KeyKind {
  return { name, make, isUsable: (text) => text.startsWith("made-"), loss: "tests notice" };
}

describe.skipIf(postgresMissing !== null)("a key in a row", () => {
  let world: Awaited<ReturnType<typeof openNodeDatabase>>;
  beforeAll(async () => (world = await openNodeDatabase()));
  afterAll(() => world[Symbol.asyncDispose]());
  const open = (jwtSecret = secret) => openKeyRows(world.pool.write, jwtSecret);

  test("is made by one of many nodes, and all of them use it", async () => {
    const kind = kindOf("made-once");
    const nodes = await Promise.all(Array.from({ length: 10 }, () => open()));
    using _closing = closingAll(nodes);
    const found = await Promise.all(nodes.map((keys) => keys.findOrMake(kind)));
    expect(new Set(found.map(({ text }) => text)).size).toBe(1);
    expect(found.filter(({ madeAt }) => madeAt !== null)).toHaveLength(1);
    expect(await nodes[0]?.find(kind)).toBe(found[0]!.text);
  });

  test("stands in the database sealed, and under its own name", async () => {
    using keys = await open();
    const [one, other] = [kindOf("one"), kindOf("other")];
    const { text } = await keys.findOrMake(one);
    const rows = await world.pool.read.send("SELECT sealed FROM kept_keys WHERE name = 'one'", []);
    expect(Buffer.from(String(rows[0]?.[0]), "base64").toString("latin1")).not.toContain(text);
    await world.pool.write.send(
      "INSERT INTO kept_keys SELECT 'other', sealed, stamp FROM kept_keys WHERE name = 'one'",
      [],
    );
    expect(await keys.find(other).catch((error: unknown) => error)).toMatchObject({ kind: "internal" });
    using foreign = await open("another secret that is long enough, too");
    expect(await foreign.find(one).catch((error: unknown) => error)).toMatchObject({ kind: "internal" });
  });

  test("is replaced by one of two at once, and the other one is refused", async () => {
    const kind = kindOf("replaced");
    using one = await open();
    using other = await open();
    await one.findOrMake(kind);
    const bothRead = Promise.withResolvers<void>();
    let reading = 0;
    const remake = async (text: string | null) => {
      if (++reading === 2) bothRead.resolve();
      await bothRead.promise;
      return `${text}-again`;
    };
    const results = await Promise.allSettled([one.replace(kind, remake), other.replace(kind, remake)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { kind: "conflict" },
    });
  });

  test("has another stamp on every node once one has replaced it", async () => {
    const kind = kindOf("stamped");
    using one = await open();
    using other = await open();
    expect(one.stamp(kind)).toBeNull();
    await one.findOrMake(kind);
    const before = one.stamp(kind);
    await one.replace(kind, async () => "made-again");
    const after = one.stamp(kind);
    expect(new Set([null, before, after]).size).toBe(3);
    while (other.stamp(kind) !== after) await Bun.sleep(10);
    expect(await other.find(kind)).toBe("made-again");
  });

  test("is sealed again for another secret if the former one opens it", async () => {
    await using own = await openNodeDatabase();
    const [kind, next] = [kindOf("sealed"), "a new secret that all nodes have"];
    using before = await openKeyRows(own.pool.write, secret);
    const { text } = await before.findOrMake(kind);
    const seal = (from: string) =>
      own.pool.transaction("jobs", (session) => sealAgain(session, { from, to: next }));
    expect(
      await seal("a secret that is wrong and long enough").catch((error: unknown) => error),
    ).toMatchObject({
      kind: "internal",
    });
    expect(await before.find(kind)).toBe(text);
    expect(await seal(secret)).toEqual(["sealed"]);
    using after = await openKeyRows(own.pool.write, next);
    expect(await after.find(kind)).toBe(text);
    expect(await before.find(kind).catch((error: unknown) => error)).toMatchObject({ kind: "internal" });
  });
});

function closingAll(parts: readonly Disposable[]): Disposable {
  const stack = new DisposableStack();
  for (const part of parts) stack.use(part);
  return stack;
}
