/**
 * A real standby as DATABASE_READ_URL: it is read from while it follows, and passed over while it is away.
 */
import { describe, expect, test } from "bun:test";
import { openNodes, until } from "../nodes/node-processes.ts";
import { postgresMissing } from "../support/postgres.ts";
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";
import { userCreation } from "../cli/run-program.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a standby that is read from (${postgresMissing})`);

const at = (url: string) => url.replace(/\/postgres$/, "/community");

describe.skipIf(postgresMissing !== null)("a standby that is read from", () => {
  test("answers what shows players, is passed over while it is away, and is used again", async () => {
    await using pair = await startReplicatedPostgres();
    await pair.makeDatabase("community");
    await using nodes = await openNodes(at(pair.primary.url));
    const node = await nodes.start("one", { DATABASE_READ_URL: at(pair.standby.url) });
    const said = async (words: string) => (await nodes.logged("one")).split(words).length - 1;
    const [fromReplica, fromPrimary] = ["delivery reads from the replica", "delivery reads from the primary"];
    await until(async () => (await said(fromReplica)) === 1);

    const user = userCreation("Anna", "long enough");
    expect(await nodes.command(user)).toMatchObject({ code: 0, error: "" });
    const shown = async () => (await node.ask("GET /api/yggdrasil/users/profiles/minecraft/Anna")).status;
    await until(async () => (await shown()) === 200);

    const copyOf = async (settings: Readonly<Record<string, string>>) =>
      (await nodes.command(["doctor"], settings)).out.split("\n").filter((line) => line.includes("READ_URL"));
    const way = at(pair.standby.url);
    expect(await copyOf({ DATABASE_READ_URL: way })).toEqual([
      expect.stringMatching(/^ok .* follows, and is read from$/),
    ]);
    expect(await copyOf({ DATABASE_READ_URL: way.replace("/community", "/postgres") })).toEqual([
      expect.stringMatching(/^problem .* holds no copy of this community/),
    ]);
    expect(await copyOf({ DATABASE_READ_URL: way.replace(/:[^:@]+@/, ":wrong@") })).toEqual([
      expect.stringMatching(/^problem .* is not read from: .* password authentication failed/),
    ]);
    const other = await nodes.start("two", { DATABASE_READ_URL: way.replace("/community", "/nowhere") });
    await until(async () => (await nodes.logged("two")).includes(fromPrimary));
    expect((await other.ask("GET /health/ready")).status).toBe(200);

    await pair.standby.kill();
    await until(async () => (await said(fromPrimary)) === 1);
    for (let count = 0; count < 50; count++) expect(await shown()).toBe(200);
    expect((await node.ask("GET /health/ready")).status).toBe(200);

    await pair.standby.start();
    await until(async () => (await said(fromReplica)) === 2);
    expect(await shown()).toBe(200);

    await pair.primary.kill();
    await until(async () => (await node.ask("GET /health/ready")).status === 503);
    expect(await node.ask("GET /health/ready")).toMatchObject({
      msg: "Not ready: database",
      data: { database: false },
    });
  });
});
