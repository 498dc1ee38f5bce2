/** Whether the audit is intact (docs/contract/admin.md#audit). */
import { describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { runsOnSqlite } from "../support/storages.ts";

type Chain = {
  readonly entries: number;
  readonly intact: boolean;
  readonly broken_at: number | null;
  readonly problem: string | null;
  readonly hash: string;
};

async function openWorld() {
  const harness = await openHarness();
  const moderator = await addMember(harness, "Moderata", { level: 2 });
  const look = async () => {
    const headers = { authorization: moderator.authorization };
    const response = await harness.fetch("/api/admin/audit/chain", { headers });
    expect(response.status).toBe(200);
    return (await readJson<Envelope<Chain>>(response)).data;
  };
  const { change: write, rows } = harness.database;
  const newestHash = () =>
    String(rows("SELECT hash FROM audit_entries ORDER BY id DESC LIMIT 1")[0]?.["hash"]);
  return { harness, look, write, newestHash, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
}

describe("the chain", () => {
  test("is intact, and grows with each change", async () => {
    await using world = await openWorld();
    const first = await world.look();
    expect(first).toEqual({
      entries: world.harness.countRows("audit_entries"),
      intact: true,
      broken_at: null,
      problem: null,
      hash: world.newestHash(),
    });
    await addMember(world.harness, "Anna");
    const second = await world.look();
    expect(second).toEqual({ ...first, entries: first.entries + 1, hash: world.newestHash() });
    expect(second.hash).not.toBe(first.hash);
  });

  test("shows the first entry that was changed", async () => {
    await using world = await openWorld();
    await addMember(world.harness, "Anna");
    world.write("UPDATE audit_entries SET issuer = 'Forger' WHERE id = 2");
    const broken = await world.look();
    expect(broken).toMatchObject({ entries: 1, intact: false, broken_at: 2 });
    expect(broken.problem).toContain("changed");
  });

  test("shows a changed entry that was valid before, when the five minutes are over", async () => {
    await using world = await openWorld();
    await addMember(world.harness, "Anna");
    expect((await world.look()).intact).toBe(true);
    world.write("UPDATE audit_entries SET detail = '{}' WHERE id = 1");
    await addMember(world.harness, "Bert");
    expect((await world.look()).intact).toBe(true);
    world.harness.clock.advance(300);
    expect(await world.look()).toMatchObject({ intact: false, broken_at: 1, entries: 0, hash: "" });
  });

  test("shows entries that were removed at its end, and is valid again once they are back", async () => {
    await using world = await openWorld();
    await addMember(world.harness, "Anna");
    const [newest = {}] = world.harness.database.rows("SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1");
    world.write(`DELETE FROM audit_entries WHERE id = ${String(newest["id"])}`);
    const missing = await world.look();
    expect(missing).toMatchObject({ intact: false, broken_at: missing.entries + 1 });
    if (runsOnSqlite) world.write("DROP TRIGGER audit_search_added");
    const values = Object.values(newest).map(literal).join();
    world.write(`INSERT INTO audit_entries (${Object.keys(newest).join()}) VALUES (${values})`);
    expect((await world.look()).intact).toBe(false);
    world.harness.clock.advance(300);
    expect(await world.look()).toMatchObject({ intact: true, entries: missing.entries + 1 });
  });

  test("is verified once for all who ask at the same time", async () => {
    await using world = await openWorld();
    const answers = await Promise.all(Array.from({ length: 20 }, world.look));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(Number(value));
}
