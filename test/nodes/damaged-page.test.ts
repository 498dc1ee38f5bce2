import { expect, test } from "bun:test";
import { lentDatabase } from "../support/lent-postgres.ts";
import { openPostgresProxy } from "../support/postgres-proxy.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodes, until } from "./node-processes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a damaged page of a table (${postgresMissing})`);

test.skipIf(postgresMissing !== null).each(["XX001", "XX002"])(
  "a node whose database cannot read a page (%s) is not ready, and says so once with the cure",
  async (sqlState) => {
    await using database = await lentDatabase();
    await using proxy = await openPostgresProxy(database.url);
    await using nodes = await openNodes(proxy.url);
    const node = await nodes.start("one");
    expect((await node.ask("GET /csl/Nobody.json")).status).toBe(404);
    expect((await node.ask("GET /health/ready")).status).toBe(200);
    proxy.onStatement((text) => (text.includes('"players"') ? { sqlState } : null));
    await until(
      async () => (await node.ask(`GET /csl/Nobody_${Bun.randomUUIDv7().slice(-4)}.json`)).status === 500,
    );
    await until(async () => (await node.ask("GET /health/ready")).status === 503);
    await node.ask("GET /csl/Somebody.json");
    expect(await node.ask("GET /health/ready")).toMatchObject({ data: { database: false } });
    const said = (await node.log()).filter(({ message }) => message.includes("files are damaged"));
    expect(said).toMatchObject([
      {
        message: "the database's files are damaged: it cannot read all that it holds",
        remedy: expect.stringContaining("restore a backup"),
      },
      { message: expect.stringContaining("cloakroom doctor says what to do") },
    ]);
  },
  60_000,
);
