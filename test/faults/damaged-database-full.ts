/* A page of a table of a real server is overwritten, as a failing disk does it. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { openNodes, until } from "../nodes/node-processes.ts";
import { postgresMissing } from "../support/postgres.ts";
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";
import { makeMember } from "./written-once.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a damaged page of a real table (${postgresMissing})`);

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

test.skipIf(!own)(
  "a destroyed page of the table of players makes a node unready, and doctor and log name the cure",
  async () => {
    await using pair = await startReplicatedPostgres();
    await pair.makeDatabase("community");
    const url = pair.primary.url.replace(/postgres$/, "community");
    await using nodes = await openNodes(url);
    const node = await nodes.start("one");
    const { name } = await makeMember(nodes, node, "Member");
    const line = `GET /csl/${name}.json`;
    expect((await node.ask(line)).status).toBe(200);
    const path = await fileOf(url, "players");
    await pair.primary.kill();
    await using file = await open(path, "r+");
    await file.write(Buffer.alloc(8192, 0xa5), 0, 8192, 0);
    await file.sync();
    await pair.primary.start();
    // Another address each time: the answer from before is still remembered.
    let asked = 0;
    await until(async () => (await node.ask(`${line}?n=${asked++}`)).status === 500);
    await until(async () => (await node.ask("GET /health/ready")).status === 503);
    const said = (await node.log()).find(({ message }) => message.includes("files are damaged"));
    expect(said).toMatchObject({
      reason: expect.stringContaining("invalid page in block 0"),
      remedy: expect.stringContaining("restore a backup"),
    });
    expect((await nodes.command(["doctor"])).out).toMatch(
      /problem .*invalid page in block 0.*\n.*restore a backup/,
    );
  },
  600_000,
);

async function fileOf(url: string, table: string): Promise<string> {
  await using sql = new SQL({ url, max: 1 });
  await sql`CHECKPOINT`;
  const [{ folder, file }] = await sql`
    SELECT current_setting('data_directory') AS folder, pg_relation_filepath(${table}) AS file`;
  return join(folder, file);
}
