/*
 * Nodes whose settings differ: what refuses them, and what names the setting. `wrong-settings-full.ts` has
 * more of them.
 */
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { makeMember } from "../faults/written-once.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openNodes, until } from "./node-processes.ts";
import { doctorSays, logSays, oddNodes } from "./wrong-settings.ts";

if (postgresMissing !== null) console.error(`NOT RUN: nodes with other settings (${postgresMissing})`);

const url = { PUBLIC_URL: "https://skins.example.org" };
const other = { ...url, USERNAME_PATTERN: "^[a-z]{3,16}$", SMTP_URL: "smtp://cloak:pw-shown@mail.example" };
const same = "all nodes have the same settings again";

describe.skipIf(postgresMissing !== null)("a node", () => {
  test("with other settings serves, and log, nodes and doctor name them until it has the same", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const one = await nodes.start("one", url);
    const two = await nodes.start("two", other);
    const differences = ["SMTP_URL of one is not that of two", "USERNAME_PATTERN of one is not that of two"];
    for (const name of ["one", "two"])
      await until(async () => (await logSays(nodes, name)).some((line) => differences.join() === line));
    expect(await oddNodes(nodes)).toEqual({
      one: ["SMTP_URL", "USERNAME_PATTERN"],
      two: ["SMTP_URL", "USERNAME_PATTERN"],
    });
    expect(await doctorSays(nodes, url)).toEqual(
      ["SMTP_URL", "USERNAME_PATTERN"].map((name) => `warning: ${name} of this machine is not that of two`),
    );
    expect(await nodes.logged("two")).not.toContain("pw-shown");
    two.signal("SIGTERM");
    await until(async () => two.hasEnded());
    await nodes.start("two", { ...url, USERNAME_PATTERN: "^[A-Za-z0-9_]{3,16}$" });
    await until(async () => (await one.log()).some(({ message }) => message === same));
    // Once, not with each sign.
    expect((await logSays(nodes, "one")).filter((line) => line === differences.join())).toHaveLength(1);
    expect(await logSays(nodes, "two")).toEqual([]);
    expect(await doctorSays(nodes, url)).toEqual([]);
  }, 60_000);

  test("with another PUBLIC_URL than one that runs does not start, and starts when all have stopped", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const one = await nodes.start("one", url);
    const next = { PUBLIC_URL: "https://skins.example.com" };
    const words =
      "PUBLIC_URL is another one than that of one, so sessions of one node would not count on the other";
    for (const settings of [next, {}])
      expect(await nodes.refused({ ...settings, NODE_NAME: "two" })).toMatchObject({
        code: 1,
        out: "",
        error: expect.stringContaining(`cloakroom: ${words}`),
      });
    expect(await doctorSays(nodes, next)).toEqual([expect.stringContaining(`problem: ${words}`)]);
    one.signal("SIGTERM");
    await until(async () => one.hasEnded());
    expect(await doctorSays(nodes, next)).toEqual([]);
    const two = await nodes.start("two", next);
    expect(await two.ask("GET /health/ready")).toMatchObject({ status: 200 });
    expect(await nodes.refused({ ...url, NODE_NAME: "one" })).toMatchObject({ code: 1 });
  }, 60_000);

  test("with another PUBLIC_URL than one that was killed waits until that one counts no more", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const one = await nodes.start("one", url);
    one.signal("SIGKILL");
    await until(async () => one.hasEnded());
    // Most of the fifteen seconds for which it counts have passed.
    await using sql = new SQL({ url: database.url, max: 1 });
    await sql.unsafe("UPDATE nodes SET seen_at = seen_at - 8000");
    const two = await nodes.start("two", { PUBLIC_URL: "https://skins.example.com" });
    expect((await two.log()).map(({ message }) => message)).toContain(
      "a node with another PUBLIC_URL runs, or ended without a word: this one waits",
    );
  }, 60_000);

  test("without PUBLIC_URL serves beside another one without, and doctor says to set it", async () => {
    await using database = await lentDatabase();
    await using nodes = await openNodes(database.url);
    const one = await nodes.start("one");
    const two = await nodes.start("two");
    const { token } = await makeMember(nodes, one, "Member");
    expect(await two.ask("GET /api/home", { token })).toMatchObject({ status: 200 });
    expect(await doctorSays(nodes, {})).toEqual([
      expect.stringContaining("warning: PUBLIC_URL is not set and several nodes serve"),
    ]);
  }, 60_000);
});
