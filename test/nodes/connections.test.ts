/** How many connections a node opens: as many as its settings, doctor and the guide say. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { ownConnections } from "../../src/adapters/postgres/connections/own-connections.ts";
import { userCreation } from "../cli/run-program.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodes, until } from "./node-processes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: connections of a node (${postgresMissing})`);

test.skipIf(postgresMissing !== null).each([
  ["", "true", ownConnections],
  [", and none for notices behind a pooler", "false", ownConnections - 1],
])("a node opens those for requests and its own%s", async (_, prepared, own) => {
  await using database = await testDatabase();
  await using nodes = await openNodes(database.url);
  const settings = { DATABASE_POOL_MAX: "2", DATABASE_PREPARED: prepared };
  expect((await nodes.command(userCreation("Anna", "long enough"))).code).toBe(0);
  const node = await nodes.start("one", settings);
  await using sql = new SQL({ url: database.url, max: 1 });
  const count = async (): Promise<number> => {
    const [row] =
      await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cloakroom one'`;
    return row.count;
  };
  /** Those that stay: a look for a server takes one for a moment. */
  const counted = async (): Promise<number> => {
    const counts: number[] = [];
    for (let looks = 0; looks < 5; looks++, await Bun.sleep(40)) counts.push(await count());
    return Math.min(...counts);
  };
  const signIn = () =>
    node.ask("POST /api/auth/login", { json: { username: "Anna", password: "long enough" } });
  await until(async () => {
    await Promise.all(Array.from({ length: 6 }, signIn));
    return (await counted()) === 2 + own;
  });
  await Promise.all(Array.from({ length: 12 }, signIn));
  expect(await counted()).toBe(2 + own);
});

const page = (path: string) => Bun.file(new URL(`../../docs/${path}`, import.meta.url)).text();

test("the guide and the settings name the same number", async () => {
  const sums = (await page("operate/scale-out.md")).match(/`DATABASE_POOL_MAX` \+ \d+/g) ?? [];
  expect(sums.length).toBeGreaterThan(0);
  expect(new Set(sums)).toEqual(new Set([`\`DATABASE_POOL_MAX\` + ${ownConnections}`]));
  expect(await page("guide/settings.md")).toContain(`for requests; ${ownConnections} more serve`);
});
