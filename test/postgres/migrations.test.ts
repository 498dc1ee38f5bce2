import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  migratePostgres,
  migrateSchema,
  planSchema,
  type SchemaWork,
} from "../../src/adapters/postgres/migrate.ts";
import { migrations, type Migration } from "../../src/adapters/postgres/migrations.ts";
import { schemaFaults } from "../../src/adapters/postgres/own-schema.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { openWorkSession, type WorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import {
  asSuperuser,
  databaseLike,
  emptyDatabase,
  postgresMissing,
  postgresServer,
  type DatabaseModel,
} from "../support/postgres.ts";
import { notedDatabase } from "../support/noted-database.ts";

const folderOfMigrations = resolve(import.meta.dir, "../../src/adapters/postgres/migrations");
const names = migrations.map(({ name }) => name);

test("the list holds every migration on disk, in the journal's order", async () => {
  const { entries } = await Bun.file(join(folderOfMigrations, "meta/_journal.json")).json();
  expect(entries.map(({ tag }: { tag: string }) => tag)).toEqual(names);
  const files = (await readdir(folderOfMigrations)).filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(names.map((name) => `${name}.sql`));
});

test("a statement that makes something can run twice, but for constraints, which are noted", () => {
  const statements = migrations.flatMap((migration) => migration.statements);
  const once = statements.filter(
    (one) => /^CREATE\s/.test(one) && !/^CREATE [A-Z ]+ IF NOT EXISTS /.test(one),
  );
  expect(once).toEqual([]);
  expect(statements.filter((one) => /;\s*\S/.test(one))).toEqual([]);
});

/** As a later release would have them. */
const next: Migration = {
  name: "0099_next",
  statements: [
    'ALTER TABLE "skins" ADD COLUMN IF NOT EXISTS "position" bigint DEFAULT 0 NOT NULL',
    'ALTER TABLE "skins" ADD CONSTRAINT "skins_position" CHECK ("position" >= 0)',
  ],
};

if (postgresMissing !== null) console.error(`NOT RUN: migrations on PostgreSQL (${postgresMissing})`);

describe.skipIf(postgresMissing !== null)("a database of PostgreSQL", () => {
  test("gets all migrations when it is empty, and nothing a second time", async () => {
    await using opened = await openEmpty();
    const { session, work } = opened;
    expect(await planSchema(session)).toEqual({ applied: names, copy: null });
    expect(await tablesOf(session)).toEqual([]);
    expect(await migrateSchema(work)).toEqual({ applied: names, copy: null });
    expect(await schemaFaults(session)).toEqual([]);
    const before = await tablesOf(session);
    expect(await migrateSchema(work)).toEqual({ applied: [], copy: null });
    expect(await planSchema(session)).toEqual({ applied: [], copy: null });
    expect(await tablesOf(session)).toEqual(before);
    expect(await markOf(session)).toBe(`${names.length}+0`);
  });

  test("has one community of its own, and an index for searches where the extension may be made", async () => {
    await using opened = await openEmpty();
    await migrateSchema(opened.work);
    const rows = await opened.session.send("SELECT value FROM marks WHERE name = 'community'", []);
    expect(String(rows[0]?.[0])).toMatch(/^[0-9a-f]{32}$/);
    const [index] = await opened.session.send("SELECT to_regclass('search_texts_user')::text", []);
    expect(index?.[0]).toBe("search_texts_user");
  });

  test("is finished from wherever a node was killed", async () => {
    const statements = migrations.flatMap((migration) => migration.statements).length;
    const stops = [1, 2, Math.floor(statements / 2), statements];
    for (const stop of stops) {
      await using opened = await openEmpty();
      const { session, work } = opened;
      // Fails as a killed node does: between two statements, or within one.
      for (const [commits, atCommit] of [
        [stop, false],
        [1, true],
      ] as const) {
        const killed = dyingAfter(session, commits, atCommit);
        expect(await failureOf(migrateSchema({ ...work, session: killed }))).toMatchObject({
          message: "killed",
        });
        await session.command("ROLLBACK");
      }
      await migrateSchema(work);
      expect(await schemaFaults(session)).toEqual([]);
      expect(await markOf(session)).toBe(`${names.length}+0`);
    }
  });

  test("is finished where statements are kept although their transactions failed", async () => {
    await using opened = await openEmpty();
    const { session, work } = opened;
    await migrateSchema(work);
    for (const statement of next.statements) await session.send(statement, []);
    expect(await migrateSchema(work, [...migrations, next])).toEqual({ applied: [next.name], copy: null });
    expect(await markOf(session)).toBe(`${names.length + 1}+0`);
  });

  test("is brought up to date once by many nodes that start at once", async () => {
    await using database = await emptyDatabase();
    const nodes = ["a", "b", "c", "d", "e", "f"].map((holder) =>
      migratePostgres(notedDatabase(database.url), { holder, say: () => undefined }),
    );
    const reports = await Promise.all(nodes);
    expect(reports.flatMap(({ applied }) => applied)).toEqual(names);
    await using session = await openWorkSession(notedDatabase(database.url));
    expect(await schemaFaults(session)).toEqual([]);
  });

  test("is right even when the lease was no use", async () => {
    await using database = await emptyDatabase();
    const nodes = Array.from({ length: 4 }, async () => {
      await using session = await openWorkSession(notedDatabase(database.url));
      await migrateSchema({ session, hold: async () => free, say: () => undefined });
    });
    await Promise.all(nodes);
    await using session = await openWorkSession(notedDatabase(database.url));
    expect(await schemaFaults(session)).toEqual([]);
    expect(await markOf(session)).toBe(`${names.length}+0`);
  });

  test("is refused when it holds something else's tables", async () => {
    await using opened = await openEmpty();
    await opened.session.send("CREATE TABLE blog_posts (id bigint)", []);
    expect(await failureOf(migrateSchema(opened.work))).toMatchObject({ kind: "conflict" });
    expect(await messageOf(planSchema(opened.session))).toMatch(
      /holds tables that are not cloakroom's \("blog_posts"\)/,
    );
    expect(await tablesOf(opened.session)).toEqual(["blog_posts"]);
  });

  test.each([
    ["UTF8", null],
    ["SQL_ASCII", null],
    ["LATIN1", /cannot hold all letters \(its encoding is LATIN1\)/],
    ["EUC_KR", /cannot hold all letters/],
  ])("with the encoding %s is taken or refused with words", async (encoding, words) => {
    await using database = await emptyDatabase();
    await asSuperuser(await postgresServer(), async (sql) => {
      await sql.unsafe(`DROP DATABASE ${database.name}`);
      const as = `TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`;
      await sql.unsafe(`CREATE DATABASE ${database.name} ${as}`);
    });
    await using session = await openWorkSession(notedDatabase(database.url));
    if (words === null) expect(await planSchema(session)).toEqual({ applied: names, copy: null });
    else expect(await messageOf(planSchema(session))).toMatch(words);
  });

  test("knows the offline uuids of players from before", async () => {
    await using opened = await openEmpty();
    const { session, work } = opened;
    const seen = names.indexOf("0003_offline_ids_and_shared_skins");
    await migrateSchema(work, migrations.slice(0, seen));
    await session.send(
      `INSERT INTO accounts (id, uuid, mail_verified, level, created_at)
       SELECT n, 'account ' || n, false, 1, 0 FROM generate_series(1, 2500) AS n`,
      [],
    );
    await session.send(
      `INSERT INTO players (uuid, account_id, name, name_key, created_at)
       SELECT 'player ' || n, n, 'Somebody' || n, 'somebody' || n, 0 FROM generate_series(1, 2500) AS n`,
      [],
    );
    await migrateSchema(work, migrations);
    const rows = async () => session.send("SELECT name, offline_uuid FROM players ORDER BY id", []);
    const all = (await rows()).map(([name]) => [name, offlineUuid(String(name))]);
    expect(await rows()).toEqual(all);
    expect(all).toHaveLength(2500);
  });

  test("may be one migration newer than the program, and not two", async () => {
    await using opened = await openEmpty();
    const { session, work } = opened;
    await migrateSchema(work, [...migrations, next]);
    expect(await migrateSchema(work)).toEqual({ applied: [], copy: null });
    expect(await schemaFaults(session)).toEqual([]);
    await session.send("UPDATE marks SET value = $1 WHERE name = 'schema'", [`${names.length + 2}+0`]);
    expect(await messageOf(migrateSchema(work))).toMatch(/written by a newer version/);
    await session.send("UPDATE marks SET value = 'many' WHERE name = 'schema'", []);
    expect(await messageOf(migrateSchema(work))).toMatch(/mark of its schema was changed/);
  });

  test("waits for a node that is too old for the next schema, and says so", async () => {
    await using opened = await openEmpty();
    const { session, work } = opened;
    await migrateSchema(work);
    await session.send(
      `INSERT INTO nodes (name, version, "schema", started_at, seen_at) VALUES ('old-node', '0.1', $1, 0, extract(epoch FROM now()) * 1000)`,
      [names.length - 1],
    );
    const said: string[] = [];
    const leaves = async (text: string): Promise<void> => {
      said.push(text);
      await using other = await openWorkSession(notedDatabase(opened.url));
      await other.send("DELETE FROM nodes", []);
    };
    const say = (text: string): void => void leaves(text);
    await migrateSchema({ ...work, say }, [...migrations, next]);
    expect(said).toEqual(["the node old-node is too old for the next schema: waiting for up to 60 s"]);
    expect(await markOf(session)).toBe(`${names.length + 1}+0`);
  });
});

describe.skipIf(postgresMissing !== null)("finds in a schema", () => {
  test.each([
    ["a table that is not ours", "CREATE TABLE extra (id int)", 'the table "extra" is not part of it'],
    [
      "a column that is not ours",
      "ALTER TABLE skins ADD extra int",
      'the column "skins.extra" is not part of it',
    ],
    [
      "a column of another type",
      "ALTER TABLE skins ALTER created_at TYPE int",
      'the column "skins.created_at" was changed',
    ],
    [
      "a column that may be null",
      "ALTER TABLE skins ALTER name DROP NOT NULL",
      'the column "skins.name" was changed',
    ],
    [
      "another collation",
      'ALTER TABLE skins ALTER name TYPE text COLLATE "und-x-icu"',
      'the column "skins.name" was changed',
    ],
    ["an index that is gone", "DROP INDEX skins_cape", 'the index "skins_cape" is missing'],
    [
      "a constraint that is gone",
      "ALTER TABLE skins DROP CONSTRAINT skins_model",
      'the constraint "skins.skins_model" is missing',
    ],
    [
      "a trigger",
      `CREATE FUNCTION pg_temp.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER extra AFTER INSERT ON skins EXECUTE FUNCTION pg_temp.nothing()`,
      'the trigger "skins.extra" is not part of it',
    ],
    [
      "a rule",
      "CREATE RULE extra AS ON DELETE TO skins DO INSTEAD NOTHING",
      'the rule "skins.extra" is not part of it',
    ],
    ["a policy", "CREATE POLICY extra ON skins", 'the policy "skins.extra" is not part of it'],
    ["a table that is not logged", "ALTER TABLE webhooks SET UNLOGGED", 'the table "webhooks" was changed'],
  ])("%s", async (_, statement, fault) => {
    await using database = await databaseLike(migrated);
    await using session = await openWorkSession(notedDatabase(database.url));
    for (const one of statement.split(/;\s*(?=CREATE TRIGGER)/)) await session.send(one, []);
    const before = await tablesOf(session);
    expect(await schemaFaults(session)).toContain(fault);
    expect(await tablesOf(session)).toEqual(before);
  });
});

/** A database that is up to date. */
const migrated: DatabaseModel = {
  name: `cloakroom_schema_${Bun.hash(JSON.stringify(migrations)).toString(16)}`,
  fill: async (url) => {
    await using session = await openWorkSession(notedDatabase(url));
    await migrateSchema({ session, hold: async () => free, say: () => undefined });
  },
};

/** What the work fails with; null when it does not. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (cause: unknown) => cause,
  );

const messageOf = async (work: Promise<unknown>): Promise<string> => String(await failureOf(work));

const free: AsyncDisposable = { [Symbol.asyncDispose]: async () => undefined };

type Opened = AsyncDisposable & {
  readonly url: string;
  readonly session: WorkSession;
  readonly work: SchemaWork;
};

async function openEmpty(): Promise<Opened> {
  await using opening = new AsyncDisposableStack();
  const { url } = opening.use(await emptyDatabase());
  const session = opening.use(await openWorkSession(notedDatabase(url)));
  const opened = opening.move();
  const work = { session, hold: async () => free, say: () => undefined };
  return { url, session, work, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/**
 * The session of a node that is killed after so many statements of migrations: before the last commit, or
 * after it.
 */
function dyingAfter(session: WorkSession, statements: number, atCommit: boolean): WorkSession {
  let commits = 0;
  return {
    ...session,
    command: async (text) => {
      if (text === "COMMIT") commits += 1;
      if (commits < statements || text !== "COMMIT") return await session.command(text);
      if (atCommit) await session.command(text);
      throw new Error("killed");
    },
  };
}

async function tablesOf(session: WorkSession): Promise<readonly unknown[]> {
  const rows = await session.send(
    "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY relname",
    [],
  );
  return rows.map(([name]) => name);
}

async function markOf(session: WorkSession): Promise<unknown> {
  const [row] = await session.send("SELECT value FROM marks WHERE name = 'schema'", []);
  return row?.[0];
}
