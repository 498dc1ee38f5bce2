/** Odd files as textures of another system: what an upload refuses does not come, and costs as little. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { openHarness } from "../support/harness.ts";
import { hostileFiles } from "../support/hostile-files.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
const folder = await temporaryFolder();
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("the accounts come, and of their skins the sound one", async () => {
  const file = join(folder.path, "users.db");
  using database = new Database(file, { create: true });
  database.run("CREATE TABLE users (name, uuid, pass)");
  const files = [...hostileFiles.map(([, content]) => content), skinPng(77)];
  for (const [n, content] of files.entries()) {
    database.run("INSERT INTO users VALUES (?, ?, NULL)", [`Odd_${n}`, crypto.randomUUID()]);
    await Bun.write(join(folder.path, "skins", `Odd_${n}.png`), content);
  }
  const columns = { uuidColumn: "uuid", usernameColumn: "name", passwordColumn: "pass" };
  const core = { type: "mysql", table: "users", ...columns, passwordVerifier: { type: "bcrypt" } };
  const settings = join(folder.path, "LaunchServer.json");
  await Bun.write(settings, JSON.stringify({ auth: { std: { core } } }));
  const report = join(folder.path, "report");
  const given = ["--file", file, "--launchserver", settings, "--textures", join(folder.path, "skins")];
  const outcome = await run(["import", "--from", "gravit", ...given, "--report", report, "--json"], {
    environment: harness.storageSettings,
  });
  expect(outcome).toMatchObject({ code: 0 });
  const all = files.length;
  expect(JSON.parse(outcome.out)).toMatchObject({
    planned: { account: { create: all }, player: { create: all }, skin: { create: 1, skip: all - 1 } },
  });
  expect(harness.countRows("skins")).toBe(1);
  expect(await harness.countFiles()).toBe(1);
  const plan = (await Bun.file(join(report, "plan.jsonl")).text()).trim().split("\n");
  const skipped = plan
    .map((line) => JSON.parse(line))
    .filter(({ kind, decision }) => kind === "skin" && decision === "skip");
  expect(skipped.filter(({ reason }) => reason === "")).toEqual([]);
});
