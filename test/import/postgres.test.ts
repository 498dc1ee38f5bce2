/* Imports into PostgreSQL: a dry run writes nothing, and what comes once is matched. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { emptyDatabase, postgresMissing, type TestDatabase } from "../support/postgres.ts";
import { openPlanWorld, shortly, type PlanWorld } from "./plan-world.ts";

describe.skipIf(postgresMissing !== null)("into PostgreSQL", () => {
  let database: TestDatabase;
  let world: PlanWorld;
  beforeEach(async () => {
    database = await emptyDatabase();
    world = await openPlanWorld({
      DATABASE_URL: database.url,
      JWT_SECRET: crypto.randomUUID() + crypto.randomUUID(),
    });
  });
  afterEach(async () => {
    await world[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** How many rows each table has. */
  async function rows(): Promise<Readonly<Record<string, number>>> {
    await using sql = new Bun.SQL(database.url, { max: 1 });
    const tables: { name: string }[] =
      await sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
    const counts = await Array.fromAsync(tables, async ({ name }) => {
      const [row] = await sql.unsafe(`SELECT count(*)::int AS count FROM "${name}"`);
      return [name, Number(row.count)] as const;
    });
    return Object.fromEntries(counts);
  }

  const lines = [
    { username: "Ada", mail: "ada@example.org", mail_verified: true },
    { username: "here", mail: "h@example.org", mail_verified: true },
  ];

  test("a dry run of an empty database makes no table", async () => {
    expect(await world.plan(lines)).toEqual([
      "account create Ada",
      "player create Ada",
      "account create here",
      "player create here",
    ]);
    expect(await rows()).toEqual({});
  });

  test("a dry run asks who is here, and writes no row; then the same comes, once", async () => {
    await world.cli(
      "user",
      "create",
      "--username",
      "Here",
      "--mail",
      "a@here.org",
      "--password",
      "quiet harbour 7",
    );
    const before = await rows();
    const planned = await world.plan(lines);
    expect(planned).toContain("player rename here -> here_2: the name is taken here");
    expect(await rows()).toEqual(before);
    expect((await world.import(lines)).code).toBe(0);
    expect((await world.report("result.jsonl")).map(shortly)).toEqual([...planned]);
    expect((await world.plan(lines)).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "account match",
      "player match",
      "account match",
      "player match",
    ]);
  });
});
