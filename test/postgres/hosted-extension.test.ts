/**
 * A hoster's pg_trgm in a schema of its own, for a user who may not make extensions: what a start and a
 * search do then.
 */
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { migratePostgres } from "../../src/adapters/postgres/migrate.ts";
import { searchesOf } from "../../src/adapters/postgres/search.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { openNodes } from "../nodes/node-processes.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { stepsOf } from "./plans.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a hoster's extension (${postgresMissing})`);

const lacking = "searches of staff read whole tables";

/** A database in which the user may make tables and no extension. */
async function openHosted(...statements: readonly string[]) {
  await using opened = new AsyncDisposableStack();
  const { name, url } = opened.use(await emptyDatabase());
  const hoster = opened.use(new SQL({ url, max: 1 }));
  const user = `${name}_user`;
  await hoster.unsafe(
    `CREATE ROLE ${user} LOGIN PASSWORD 'of-this-test'; GRANT CREATE ON SCHEMA public TO ${user}`,
  );
  opened.defer(async () => void (await hoster.unsafe(`DROP OWNED BY ${user} CASCADE; DROP ROLE ${user}`)));
  const asUser = (statement: string) =>
    hoster.unsafe(statement.replaceAll("$user", user).replaceAll("$database", name));
  for (const statement of statements) await asUser(statement);
  const own = new URL(url);
  own.username = user;
  own.password = "of-this-test";
  const closing = opened.move();
  return { url: own.href, asUser, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const installed = 'CREATE SCHEMA "Hoster\'s own"; CREATE EXTENSION pg_trgm SCHEMA "Hoster\'s own"';
const opening = 'GRANT USAGE ON SCHEMA "Hoster\'s own" TO $user';
const closing = 'REVOKE USAGE ON SCHEMA "Hoster\'s own" FROM $user';

/** What a start says. */
async function start(url: string): Promise<readonly string[]> {
  const said: string[] = [];
  await migratePostgres(notedDatabase(url), { holder: "test", say: (text) => said.push(text) });
  return said;
}

/** The numbers that a search finds, and the indexes that it searches. */
async function search(url: string, text: string) {
  await using work = await openWorkSession(notedDatabase(url));
  await work.send(
    `INSERT INTO search_texts (kind, id, text) VALUES ('user', 1, 'anna'), ('user', 2, 'жшдж') ON CONFLICT DO NOTHING`,
    [],
  );
  await work.send(
    `INSERT INTO search_texts (kind, id, text) SELECT 'user', n, 'name' || n FROM generate_series(3, 5000) AS n ON CONFLICT DO NOTHING`,
    [],
  );
  await work.send("VACUUM ANALYZE search_texts", []);
  await work.send("SET enable_seqscan = off", []);
  let found: readonly number[] = [];
  const { searched } = await stepsOf(work, async (sender) => {
    found = await searchesOf(sender).of("user").find(text, { after: null, rows: 5 });
  });
  return { found, searched };
}

describe.skipIf(postgresMissing !== null)("an extension in another schema", () => {
  test("is used, although the user's search path does not hold it", async () => {
    await using hosted = await openHosted(installed, opening);
    expect(await start(hosted.url)).toEqual([]);
    const { found, searched } = await search(hosted.url, "anna");
    expect(found).toEqual([1]);
    expect(searched).toContain("search_texts_user");
    expect((await search(hosted.url, "жшд")).found).toEqual([2]);
  });

  test("that the user may not use is done without, until it may", async () => {
    await using hosted = await openHosted(installed);
    expect(await start(hosted.url)).toEqual([expect.stringContaining(lacking)]);
    const { found, searched } = await search(hosted.url, "anna");
    expect(found).toEqual([1]);
    expect(searched).not.toContain("search_texts_user");
    await hosted.asUser(opening);
    expect(await start(hosted.url)).toEqual([]);
    expect((await search(hosted.url, "anna")).searched).toContain("search_texts_user");
    // The indexes are there, and what is in the schema may not be called any more.
    await hosted.asUser(closing);
    expect(await start(hosted.url)).toEqual([]);
    expect((await search(hosted.url, "anna")).found).toEqual([1]);
    expect((await search(hosted.url, "жшд")).found).toEqual([2]);
  });

  test("a node starts without it and says so once, and doctor names the cure", async () => {
    // Doctor compares the schema with one that it makes beside it.
    await using hosted = await openHosted(installed, "GRANT CREATE ON DATABASE $database TO $user");
    await using nodes = await openNodes(hosted.url);
    const node = await nodes.start("one");
    expect(await node.ask("GET /health/ready")).toMatchObject({ status: 200 });
    const lines = (await node.log()).filter(({ message }) => message.includes(lacking));
    expect(lines).toHaveLength(1);
    const { out } = await nodes.command(["doctor"]);
    expect(out).toContain(`pg_trgm is in the schema "Hoster's own", which this user may not use`);
    expect(out).toContain(`GRANT USAGE ON SCHEMA "Hoster's own" TO this user`);
  });

  test("one that is missing, and may not be made, is done without as well", async () => {
    await using hosted = await openHosted();
    expect(await start(hosted.url)).toEqual([expect.stringContaining(lacking)]);
    expect((await search(hosted.url, "anna")).found).toEqual([1]);
  });
});
