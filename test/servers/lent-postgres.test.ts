import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { lentDatabase } from "../support/lent-postgres.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: databases that are lent (${postgresMissing})`);

/** Every row of every table, and where every sequence stands. */
async function contentsOf(url: string) {
  await using sql = new SQL({ url, max: 1 });
  const names = await sql`SELECT relname AS name, relkind::text AS kind FROM pg_class
                          WHERE relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace ORDER BY 1`;
  const parts = names.map(({ name, kind }: { name: string; kind: string }) =>
    kind === "r"
      ? `SELECT '${name}' AS name, json_agg(one ORDER BY one::text)::text AS holds FROM "${name}" one`
      : `SELECT '${name}', coalesce(pg_sequence_last_value('${name}'::regclass), 0)::text`,
  );
  return [...(await sql.unsafe(parts.join(" UNION ALL ")))];
}

describe.skipIf(postgresMissing !== null)("a database that is lent", () => {
  test("is as new for each test, whatever the one before has written", async () => {
    await using fresh = await testDatabase();
    const wanted = await contentsOf(fresh.url);
    const names = new Set<string>();
    // Other tests of the run may take the database that was just given back.
    for (let rounds = 1; names.size === rounds - 1; rounds++) {
      expect(rounds).toBeLessThan(20);
      await using lent = await lentDatabase();
      names.add(lent.name);
      expect(await contentsOf(lent.url)).toEqual(wanted);
      await using sql = new SQL({ url: lent.url, max: 1 });
      await sql`UPDATE marks SET value = 'it''s another'`;
      await sql`DELETE FROM audit_head`;
      await sql`INSERT INTO count_deltas (name, delta) VALUES ('a', 1), ('b', 1)`;
      expect(await contentsOf(lent.url)).not.toEqual(wanted);
    }
  });

  test("is lent to one test at a time", async () => {
    await using first = await lentDatabase();
    await using second = await lentDatabase();
    expect(first.name).not.toBe(second.name);
  });
});
