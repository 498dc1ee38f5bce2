import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { join } from "node:path";
import { makeCommunity, rowsIn } from "../operate/moved-community.ts";
import { run, temporaryFolder, type Outcome } from "../cli/run-program.ts";
import { jwtSecret } from "../support/harness.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: backups of PostgreSQL (${postgresMissing})`);

const opened = new AsyncDisposableStack();
let made = "";

beforeAll(async () => {
  made = opened.use(await temporaryFolder()).path;
  await makeCommunity(made);
});
afterAll(() => opened.disposeAsync());

function work(args: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  return run(args, { environment: { JWT_SECRET: jwtSecret, ...environment } });
}

/** Every row as it was; files have other names in each place, and a restore has no file to be deleted. */
function rowsOf(folder: string): unknown {
  const rows = rowsIn(join(folder, "cloakroom.db"));
  return { ...rows, textures: rows["textures"]?.map((row) => ({ ...(row as object), file: "" })) };
}

describe.skipIf(postgresMissing !== null)("a backup", () => {
  test("of a folder restores into PostgreSQL, and one of PostgreSQL into a folder", async () => {
    await using target = await emptyDatabase();
    await using place = await temporaryFolder();
    const [first, second] = [join(place.path, "first.tar.zst"), join(place.path, "second.tar.zst")];
    expect(await work(["backup", first], { DATA_DIR: made })).toMatchObject({ code: 0, error: "" });

    const onPostgres = { DATA_DIR: join(place.path, "node"), DATABASE_URL: target.url };
    expect(await work(["restore", first], onPostgres)).toMatchObject({ code: 0, error: "" });
    const made2 = await work(["backup", second, "--json"], onPostgres);
    expect(made2.error).toBe("");
    const about = JSON.parse(made2.out) as { files: readonly string[]; textures: number };
    expect(about.files).toContain("secrets/webhook-secret");
    expect(about.files).toContain("mail-templates/confirm.en.txt");
    expect(about.textures).toBeGreaterThan(5);

    const back = { DATA_DIR: join(place.path, "back") };
    expect(await work(["restore", second], back)).toMatchObject({ code: 0, error: "" });
    expect(rowsOf(back.DATA_DIR)).toEqual(rowsOf(made));
    const checked = await work(["fsck", "--json"], back);
    expect(JSON.parse(checked.out)).toMatchObject({ faults: [], schema_faults: [] });
  });

  test("does not restore into a database that holds a community", async () => {
    await using target = await emptyDatabase();
    await using place = await temporaryFolder();
    const file = join(place.path, "backup.tar.zst");
    const onPostgres = { DATA_DIR: join(place.path, "node"), DATABASE_URL: target.url };
    await work(["backup", file], { DATA_DIR: made });
    await work(["restore", file], onPostgres);
    const again = await work(["restore", file], onPostgres);
    expect(again.code).toBe(1);
    expect(again.error).toContain("holds a community already");
  });

  test("of a database that a move is filling is refused", async () => {
    await using target = await emptyDatabase();
    await using place = await temporaryFolder();
    await run(["move"], { environment: { JWT_SECRET: jwtSecret, DATA_DIR: made, MOVE_TO: target.url } });
    await using sql = new SQL(target.url, { max: 1 });
    await sql`INSERT INTO marks (name, value) VALUES ('moving', '["x",0,null]')`;
    const refused = await work(["backup", join(place.path, "b.tar.zst")], {
      DATA_DIR: made,
      DATABASE_URL: target.url,
    });
    expect(refused.error).toContain("has not finished");
  });
});
