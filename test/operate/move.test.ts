import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { migratePostgres } from "../../src/adapters/postgres/migrate.ts";
import { serveFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { copiedTables } from "../../src/domain/model/copied-tables.ts";
import { run, temporaryFolder, type Outcome } from "../cli/run-program.ts";
import { jwtSecret } from "../support/harness.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { filesIn, makeCommunity, rowsIn, runMove } from "./moved-community.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: move to PostgreSQL and back (${postgresMissing})`);

const opened = new AsyncDisposableStack();
/** A community that no test changes. */
let made = "";

beforeAll(async () => {
  made = opened.use(await temporaryFolder()).path;
  await makeCommunity(made);
});
afterAll(() => opened.disposeAsync());

const secret = { JWT_SECRET: jwtSecret };

/** Runs a move within this process. The target stands in the environment: addresses have passwords. */
function moveTo(
  to: string,
  environment: Record<string, string>,
  ...more: readonly string[]
): Promise<Outcome> {
  return run(["move", ...more], { environment: { ...secret, MOVE_TO: to, ...environment } });
}

/** A copy of the community, which a test may change. */
async function copyOfCommunity(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await temporaryFolder();
  await cp(made, folder.path, { recursive: true });
  return folder;
}

describe.skipIf(postgresMissing !== null)("a community that moves to PostgreSQL and back", () => {
  test("is the same, row by row and file by file, and the source is not changed", async () => {
    await using target = await emptyDatabase();
    await using back = await temporaryFolder();
    const before = await filesIn(made);
    const there = await moveTo(target.url, { DATA_DIR: made }, "--json");
    expect(there.error).toBe("");
    expect(JSON.parse(there.out)).toMatchObject({
      continued: false,
      copied_textures: false,
      textures_lost: 0,
    });
    const home = await moveTo(back.path, { DATA_DIR: made, DATABASE_URL: target.url }, "--json");
    expect(home.error).toBe("");
    expect(JSON.parse(home.out)).toMatchObject({ to: back.path, copied_textures: true, textures_lost: 0 });
    expect(await filesIn(made)).toEqual(before);
    expect(withoutFiles(rowsIn(join(back.path, "cloakroom.db")))).toEqual(
      withoutFiles(rowsIn(join(made, "cloakroom.db"))),
    );
    const arrived = await filesIn(back.path);
    expect(kept(arrived)).toEqual(kept(before));
    expect(await Bun.file(join(back.path, "secrets/jwt-secret")).text()).toBe(`${jwtSecret}\n`);
    expect(texturesIn(arrived)).toEqual(texturesIn(before));
    const checked = await run(["fsck", "--json"], { environment: { ...secret, DATA_DIR: back.path } });
    expect(JSON.parse(checked.out)).toMatchObject({ faults: [], schema_faults: [] });
  });

  test("finishes from wherever it was killed, both ways", async () => {
    await using target = await emptyDatabase();
    await using back = await temporaryFolder();
    await using source = await copyOfCommunity();
    const before = await filesIn(source.path);
    const ways = [
      { to: target.url, DATA_DIR: source.path },
      { to: join(back.path, "data"), DATA_DIR: source.path, DATABASE_URL: target.url },
    ];
    for (const { to, ...environment } of ways) {
      for (const killAfterMs of [400, 700, 1100, 1600])
        await runMove([], { environment: { ...environment, MOVE_TO: to }, killAfterMs });
      const last = await moveTo(to, environment);
      // The last of the killed ones may have been done.
      if (last.code !== 0) expect(last.error).toContain("holds a community already");
      expect(await filesIn(source.path)).toEqual(before);
    }
    expect(withoutFiles(rowsIn(join(back.path, "data/cloakroom.db")))).toEqual(
      withoutFiles(rowsIn(join(made, "cloakroom.db"))),
    );
  });

  test("is counted in a dry run, which changes neither side", async () => {
    await using target = await emptyDatabase();
    const planned = await moveTo(target.url, { DATA_DIR: made }, "--dry-run");
    expect(planned.out).toMatch(/would move \d+ rows and \d+ textures, which stay where they are/);
    expect(planned.out).toContain("DATABASE_URL: the address that was given here");
    expect(planned.out + planned.error).not.toContain(passwordIn(target.url));
    await using sql = new SQL(target.url, { max: 1 });
    expect(await sql`SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`).toEqual([
      { tables: 0 },
    ] as never);
  });

  test("goes with what a killed server left in its log", async () => {
    await using source = await copyOfCommunity();
    await using killed = await temporaryFolder();
    {
      using database = new Database(join(source.path, "cloakroom.db"));
      database.run("PRAGMA journal_mode = WAL");
      database.run("INSERT INTO service_tokens (name, hash, created_at) VALUES ('late', 'late', 3)");
      await cp(source.path, killed.path, { recursive: true });
    }
    await using target = await emptyDatabase();
    const tokensOf = async ({ path }: { readonly path: string }) => {
      const { out } = await moveTo(target.url, { DATA_DIR: path }, "--dry-run", "--json");
      return JSON.parse(out).tables.service_tokens;
    };
    expect(await tokensOf(killed)).toBe(await tokensOf(source));
    expect(await tokensOf(killed)).toBe(1 + (await tokensOf({ path: made })));
  });

  test("is not served until it is whole", async () => {
    await using target = await emptyDatabase();
    await using sql = new SQL(target.url, { max: 1 });
    await moveTo(target.url, { DATA_DIR: made });
    await sql`INSERT INTO marks (name, value) VALUES ('moving', '["x",0,null]')`;
    const serving = migratePostgres(notedDatabase(target.url), { holder: "a node", say: () => undefined });
    expect(String(await serving.catch((cause: unknown) => cause))).toContain("has not finished");
    await using folder = await temporaryFolder();
    await Bun.write(join(folder.path, "moving/community"), "x");
    const used = await run(["user", "create", "--begins"], {
      environment: { ...secret, DATA_DIR: folder.path },
    });
    expect(used.code).not.toBe(0);
  });

  test("counts textures that were lost before", async () => {
    await using target = await emptyDatabase();
    await using source = await copyOfCommunity();
    const first = Object.keys(await filesIn(source.path)).find((path) => /^textures\/..\//.test(path)) ?? "";
    await Bun.write(join(source.path, first), "no picture");
    await using back = await temporaryFolder();
    expect((await moveTo(target.url, { DATA_DIR: source.path })).error).toContain(
      "1 texture has no sound file",
    );
    const home = await moveTo(back.path, { DATA_DIR: source.path, DATABASE_URL: target.url }, "--json");
    expect(home.error).toContain("1 texture has no sound file in the source");
    expect(JSON.parse(home.out)).toMatchObject({ textures_lost: 1 });
  });

  test("loses characters of number 0, which PostgreSQL cannot keep", async () => {
    await using target = await emptyDatabase();
    await using source = await copyOfCommunity();
    {
      using database = new Database(join(source.path, "cloakroom.db"));
      database.run("UPDATE sessions SET client_token = 'a' || char(0) || 'b' WHERE id = 'game'");
    }
    expect((await moveTo(target.url, { DATA_DIR: source.path })).error).toBe("");
    await using sql = new SQL(target.url, { max: 1 });
    expect(await sql`SELECT client_token FROM sessions WHERE id = 'game'`.values()).toEqual([
      ["ab"],
    ] as never);
  });
});

describe.skipIf(postgresMissing !== null)("a move is refused", () => {
  test("into a database that holds anything else", async () => {
    await using target = await emptyDatabase();
    await using sql = new SQL(target.url, { max: 1 });
    await sql`CREATE TABLE blog_posts (id int)`;
    const refused = await moveTo(target.url, { DATA_DIR: made });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.error).toContain("blog_posts");
  });

  test("into a community, and into the unfinished move of another one", async () => {
    await using target = await emptyDatabase();
    await using sql = new SQL(target.url, { max: 1 });
    await moveTo(target.url, { DATA_DIR: made });
    expect((await moveTo(target.url, { DATA_DIR: made })).error).toContain("holds a community already");
    await sql`INSERT INTO marks (name, value) VALUES ('moving', '["another",0,null]')`;
    expect((await moveTo(target.url, { DATA_DIR: made })).error).toContain(
      "unfinished move of another community",
    );
    expect((await moveTo(made, { DATA_DIR: made, DATABASE_URL: target.url })).code).toBe(1);
  });

  test("while the source is served", async () => {
    await using target = await emptyDatabase();
    await using source = await copyOfCommunity();
    {
      using _served = serveFolder(source.path);
      expect((await moveTo(target.url, { DATA_DIR: source.path })).error).toContain("end that first");
    }
    expect((await moveTo(target.url, { DATA_DIR: source.path })).code).toBe(0);
    await using sql = new SQL(target.url, { max: 1 });
    await sql`INSERT INTO nodes (name, version, schema, started_at, seen_at)
      VALUES ('alive', '1', 1, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
    await using back = await temporaryFolder();
    const refused = await moveTo(join(back.path, "data"), { DATA_DIR: made, DATABASE_URL: target.url });
    expect(refused.error).toContain("alive serves from this database");
  });

  test("at the end, when the source was changed since it began", async () => {
    await using target = await emptyDatabase();
    await using source = await copyOfCommunity();
    await using sql = new SQL(target.url, { max: 1 });
    await moveTo(target.url, { DATA_DIR: source.path });
    const community = rowsIn(join(source.path, "cloakroom.db"))["marks"]?.[0] as { readonly value: string };
    await sql`INSERT INTO marks (name, value) VALUES ('moving', ${JSON.stringify([community.value, copiedTables.length, null])})`;
    {
      using database = new Database(join(source.path, "cloakroom.db"));
      database.run("UPDATE skins SET name = 'changed' WHERE id = 1");
    }
    const refused = await moveTo(target.url, { DATA_DIR: source.path });
    expect(refused.error).toContain("skins is not the same on both sides");
    expect(await sql`SELECT name FROM marks WHERE name = 'moving'`.values()).toEqual([["moving"]] as never);
  });

  test("with another secret than the database's", async () => {
    await using target = await emptyDatabase();
    await moveTo(target.url, { DATA_DIR: made });
    await using back = await temporaryFolder();
    const other = {
      DATA_DIR: made,
      DATABASE_URL: target.url,
      JWT_SECRET: "another secret that is long enough",
    };
    expect((await moveTo(back.path, other)).error).toContain("JWT_SECRET is another one");
  });

  test.each([
    ["--to with a password", ["--to", "postgres://a:hidden@localhost/b"], /must not hold a password/],
    ["neither --to nor MOVE_TO", [], /--to or MOVE_TO must say/],
    ["another kind of address", ["--to", "mysql://localhost/b"], /must be a folder or an address/],
    [
      "a bucket without keys",
      ["--to", "/nowhere", "--blobs", "s3://bucket/place"],
      /S3_ACCESS_KEY_ID must be given/,
    ],
  ])("for %s", async (_, args, words) => {
    const refused = await run(["move", ...args], { environment: { ...secret, DATA_DIR: made } });
    expect(refused.code).toBe(2);
    expect(refused.error).toMatch(words);
    expect(refused.error).not.toContain("hidden@");
  });
});

/** Readers of SQLite leave an index and an empty log beside the database. */
/** Files get other names in another store. */
function withoutFiles(rows: ReturnType<typeof rowsIn>): unknown {
  const textures = rows["textures"]?.map((row) => ({ ...(row as object), file: "" }));
  return { ...rows, textures };
}

function texturesIn(files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(files)
    .filter(([path]) => path.startsWith("textures/") && !path.endsWith("/cloakroom-place.json"))
    .map(([path, hash]) => [/^textures\/..\/[0-9a-f]{64}/.exec(path)?.[0] ?? path, hash] as const);
}

function passwordIn(url: string): string {
  return new URL(url).password;
}

/** The keys and files of operators that go along. */
function kept(files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(files).filter(([path]) => /^(?:secrets\/webhook|mail-templates)/.test(path));
}
