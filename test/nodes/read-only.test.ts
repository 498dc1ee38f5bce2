/** A database that its hoster switches to reads only, as many do on a full disk. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { emptyDatabase, postgresMissing, type TestDatabase } from "../support/postgres.ts";
import { makeMember } from "../faults/written-once.ts";
import { openNodes, until, type NodeProcess } from "./node-processes.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a database that takes reads only (${postgresMissing})`);

const statusOf = async (node: NodeProcess) => (await node.ask("GET /health/ready")).status;
const complaintsOf = async (node: NodeProcess) =>
  (await node.log()).filter(({ level }) => level === "warn" || level === "error");

/** Switches the database. Connections that are open stay as they were opened. */
async function switchTo(value: "on" | "off", { name, url }: TestDatabase): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe("BEGIN READ WRITE");
  await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  await sql.unsafe("COMMIT");
}

test.skipIf(postgresMissing !== null)(
  "is a fault of its own: reads go on, changes are 503, and all is well when it takes writes again",
  async () => {
    await using database = await emptyDatabase();
    await using nodes = await openNodes(database.url);
    const node = await nodes.start("one", { METRICS_PORT: "0" });
    const { name, token } = await makeMember(nodes, node, "Member");
    // The first key is made beside the first requests.
    expect((await node.ask("GET /api/yggdrasil")).status).toBe(200);
    const reads = [`GET /csl/${name}.json`, "GET /api/home", "GET /health/live"];
    const write = () => node.ask("PATCH /api/home/edit/language", { json: { language: "de" }, token });
    expect((await write()).status).toBe(200);

    await switchTo("on", database);
    await until(async () => (await statusOf(node)) === 503);
    expect(await node.ask("GET /health/ready")).toMatchObject({
      msg: "Not ready: database",
      data: { database: false },
    });
    // Long enough for whatever would say each second that it fails.
    for (let round = 0; round < 8; round++) {
      for (const line of reads) expect([line, (await node.ask(line, { token })).status]).toEqual([line, 200]);
      expect(await write()).toMatchObject({
        status: 503,
        msg: expect.stringContaining("The database takes no changes right now"),
      });
      await Bun.sleep(500);
    }
    const { headers } = await fetch(`${node.address}/api/home/edit/language`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: '{"language":"de"}',
    });
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    const second = nodes.start("two");
    await until(async () => (await nodes.logged("two")).includes("was switched to reads only"));
    const doctor = await nodes.command(["doctor"], { PORT: new URL(node.address).port });
    expect(doctor.out).toMatch(/problem +database: .*was switched to reads only/);
    expect(doctor.out).toContain(`ALTER DATABASE ${database.name} RESET default_transaction_read_only`);
    const complaints = await complaintsOf(node);
    expect(complaints.filter(({ message }) => message.includes("reads only"))).toHaveLength(1);
    expect(
      complaints.filter(({ message }) => message.startsWith("the database cannot be written")),
    ).toHaveLength(1);
    // Each work that is paused says so once, and the leader that it could not keep its place until it lost
    // it.
    const counts = Object.values(Object.groupBy(complaints, ({ message }) => message)).map(
      (some) => some?.length,
    );
    expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(3);
    expect(complaints.filter(({ level }) => level === "error")).toEqual([]);

    await switchTo("off", database);
    await until(async () => (await statusOf(node)) === 200);
    expect((await (await second).ask("GET /health/ready")).status).toBe(200);
    await until(async () => (await write()).status === 200);
    for (let round = 0; round < 20; round++) expect((await write()).status).toBe(200);
    expect((await node.log()).map(({ message }) => message)).toContain("the database takes writes again");
  },
  60_000,
);
