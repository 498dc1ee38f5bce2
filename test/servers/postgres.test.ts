import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { databaseLike, emptyDatabase, postgresMissing } from "../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: databases of tests (${postgresMissing})`);

const connect = (url: string) => new SQL({ url, max: 1 });

describe.skipIf(postgresMissing !== null)("databases of tests", () => {
  test("each test has its own, and it goes with the test", async () => {
    await using first = await emptyDatabase();
    await using second = await emptyDatabase();
    await using sql = connect(first.url);
    await using other = connect(second.url);
    await sql`CREATE TABLE mine (x bigint)`;
    const refused = await other`SELECT * FROM mine`.catch((error: unknown) => error);
    expect(refused).toMatchObject({ errno: "42P01" });
    await second[Symbol.asyncDispose]();
    const named = await sql`SELECT datname FROM pg_database WHERE datname IN (${first.name}, ${second.name})`;
    expect([...named]).toEqual([{ datname: first.name }]);
  });

  test("a model is filled once and copied then", async () => {
    let filled = 0;
    const fill = async (url: string) => {
      filled += 1;
      await using sql = connect(url);
      await sql`CREATE TABLE kept AS SELECT 7 AS x`;
    };
    const model = { name: `cloakroom_once_${crypto.randomUUID().slice(0, 8)}`, fill };
    await using server = await emptyDatabase();
    try {
      await (await databaseLike(model))[Symbol.asyncDispose]();
      for (let round = 0; round < 2; round++) {
        await using database = await databaseLike(model);
        await using sql = connect(database.url);
        expect([...(await sql`SELECT x FROM kept`)]).toEqual([{ x: 7 }]);
      }
      expect(filled).toBe(1);
    } finally {
      await using sql = connect(server.url);
      await sql.unsafe(`DROP DATABASE ${model.name}`);
    }
  });
});
