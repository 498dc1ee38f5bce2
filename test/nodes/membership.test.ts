import { describe, expect, test } from "bun:test";
import { leaseOf } from "../../src/adapters/postgres/lease.ts";
import { requireSecret } from "../../src/adapters/postgres/marks.ts";
import { enterNodes, listNodes, pruneNodes, refuseLiveNodes } from "../../src/adapters/postgres/nodes.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodeDatabase } from "./node-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the list of nodes (${postgresMissing})`);

const own = (name: string) => ({ name, version: "1.0.0", schema: 1 });
const nothing = async () => undefined;

describe.skipIf(postgresMissing !== null)("a node", () => {
  test("is listed while it runs, with what it leads, and is gone when it stops", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    const one = await enterNodes(sender, own("one"), nothing);
    await using _other = await enterNodes(sender, own("other"), nothing);
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
    const sender = world.pool.write;
    await using _first = await enterNodes(sender, own("one"), nothing);
    expect(await enterNodes(sender, own("one"), nothing)).toBeNull();
    await sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    await using again = await enterNodes(sender, own("one"), nothing);
    expect(again?.holder).toMatch(/^one\/\d+$/);
  });

  test("keeps others from what would break it, until it has been silent for long enough", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    await refuseLiveNodes(sender);
    await using _one = await enterNodes(sender, own("one"), nothing);
    expect(await refuseLiveNodes(sender).catch((error: Error) => error.message)).toBe(
      "one serves from this database: stop every node first (one that was killed counts for 15 seconds)",
    );
    await sender.send("UPDATE nodes SET seen_at = seen_at - 15000", []);
    await refuseLiveNodes(sender);
    await sender.send("UPDATE nodes SET seen_at = seen_at - 86400000", []);
    await pruneNodes(sender);
    expect(await listNodes(sender)).toEqual([]);
  });

  test("is refused with another secret than that of the first one", async () => {
    await using world = await openNodeDatabase();
    const sender = world.pool.write;
    await Promise.all(Array.from({ length: 10 }, () => requireSecret(sender, "fingerprint")));
    const refusal = await requireSecret(sender, "another").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("JWT_SECRET is another one"),
    });
  });
});
