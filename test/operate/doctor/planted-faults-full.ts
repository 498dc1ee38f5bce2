/**
 * Faults that people cause and meet, planted one at a time in a real community: doctor names each, with a
 * cure for it, blames nothing else, and ends with 1 on a problem.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp } from "node:fs/promises";
import { join } from "node:path";
import { changeDatabase, makeData } from "../../backup/data-world.ts";
import { noSmallDisk } from "../../faults/small-disk.ts";
import { bucketMissing } from "../../support/bucket.ts";
import { databaseLike, postgresMissing } from "../../support/postgres.ts";
import { isRoot, noSomebody } from "../../support/somebody.ts";
import { run, temporaryFolder } from "../../cli/run-program.ts";
import { onPostgres, secret } from "./planted-on-postgres.ts";
import { asRoot, onSqlite } from "./planted-on-sqlite.ts";
import { plantIn, type Look, type MakeCommunity, type Planted } from "./planted.ts";

const opened = new AsyncDisposableStack();
let full = "";
beforeAll(async () => {
  const folder = opened.use(await temporaryFolder());
  full = join(folder.path, "full");
  await makeData(full);
  for (const path of [full, join(full, "secrets")]) await chmod(path, 0o700);
  await chmod(join(full, "secrets/jwt-secret"), 0o600);
});
afterAll(() => opened.disposeAsync());

const inFolder: MakeCommunity = async (dataDir) => {
  await cp(full, dataDir, { recursive: true });
  return {
    address: "",
    settings: {},
    change: async (statement) => changeDatabase(join(dataDir, "cloakroom.db"), statement),
    [Symbol.asyncDispose]: async () => undefined,
  };
};

/** What the folder holds, moved into a database; its textures stay files. */
const inDatabase: MakeCommunity = async (dataDir) => {
  const database = await databaseLike({
    name: `cloakroom_planted_${process.pid}`,
    fill: async (url) => {
      const { code, error } = await run(["move", "--data-dir", full], {
        environment: { JWT_SECRET: secret, MOVE_TO: url },
      });
      if (code !== 0) throw new Error(error);
    },
  });
  await cp(join(full, "textures"), join(dataDir, "textures"), { recursive: true });
  await chmod(dataDir, 0o700);
  const sql = new SQL({ url: database.url, max: 1 });
  return {
    address: database.url,
    settings: { DATABASE_URL: database.url, JWT_SECRET: secret },
    change: async (statement) => void (await sql.unsafe(statement)),
    [Symbol.asyncDispose]: async () => {
      await sql.close();
      await database[Symbol.asyncDispose]();
    },
  };
};

/** The tests' server of PostgreSQL waits for no disk, which doctor rightly says. */
const tolerated = /before commits are on its disk/;

const problemsOf = ({ findings }: Look) =>
  findings.filter(({ state, message }) => state === "problem" && !tolerated.test(message));

function tell(community: string, make: MakeCommunity, faults: Readonly<Record<string, Planted>>): void {
  test.each([{}, { runs: true }])(`${community}: no problem before one is planted (%j)`, async (planted) => {
    await using world = await plantIn(make, { ...planted, finds: ["settings", "warning", /./, /./] });
    expect(problemsOf(await world.look())).toEqual([]);
  });

  test.each(Object.entries(faults))(`${community}: %s`, async (_, planted) => {
    const [check, state, message, remedy] = planted.finds;
    await using world = await plantIn(make, planted);
    const found = await world.look();
    const wanted = { check, state, message: expect.stringMatching(message) };
    expect(found.findings).toContainEqual({ ...wanted, remedy: expect.stringMatching(remedy) });
    const others = problemsOf(found).filter((one) => one.check !== check);
    expect(others.filter((one) => !planted.also?.includes(one.check))).toEqual([]);
    const isProblem = found.findings.some((one) => one.state === "problem");
    expect({ isProblem: isProblem || state === "warning", code: found.code }).toEqual({
      isProblem: true,
      code: isProblem ? 1 : 0,
    });
    if (planted.cure === undefined) return;
    const cure = found.findings.find((one) => one.check === check && message.test(one.message))?.remedy;
    await world.cure(cure ?? "");
    expect((await world.look()).findings).not.toContainEqual(expect.objectContaining(wanted));
  });
}

const noDisk = await noSmallDisk();
for (const [what, reason] of [
  ["full disks and other users", isRoot ? (noSomebody ?? noDisk) : "only root can plant them"],
  ["PostgreSQL", postgresMissing],
  ["buckets", bucketMissing],
] as const)
  if (reason !== null) console.error(`NOT RUN: planted faults of ${what} (${reason})`);

const withBucket = Object.entries(onSqlite).filter(
  ([name]) => bucketMissing === null || !name.includes("the bucket"),
);
describe("doctor", () => {
  tell("a folder", inFolder, Object.fromEntries(withBucket));
  if (isRoot && noSomebody === null && noDisk === null) tell("a folder, as root", inFolder, asRoot);
  if (postgresMissing === null) tell("PostgreSQL", inDatabase, onPostgres);
});
