/**
 * What the user of DATABASE_URL may not do is named, and the statements that doctor gives are all that is
 * needed.
 */
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { testDatabase } from "../../support/migrated-postgres.ts";
import { emptyDatabase, postgresMissing, type TestDatabase } from "../../support/postgres.ts";
import { temporaryFolder } from "../../cli/run-program.ts";
import { examineIn } from "./beside-server.ts";

if (postgresMissing !== null) console.error(`NOT RUN: rights in a database (${postgresMissing})`);

type Case = {
  readonly database: () => Promise<TestDatabase>;
  /** As the superuser, with ROLE for the user of the address and NAME for the database. */
  readonly plant: readonly string[];
  readonly state: "problem" | "warning";
  readonly message: RegExp;
};

const cases: Readonly<Record<string, Case>> = {
  "make tables in an empty database": {
    database: emptyDatabase,
    plant: ["GRANT CREATE ON DATABASE NAME TO ROLE"],
    state: "problem",
    message: /^the user "?\S+ may not make tables in the schema public, so no start can/,
  },
  "use the schema": {
    database: testDatabase,
    plant: [
      "ALTER DATABASE NAME OWNER TO ROLE",
      "OWN",
      "REVOKE ALL ON SCHEMA public FROM public, pg_database_owner",
    ],
    state: "problem",
    message: /may not make tables in any schema/,
  },
  "use the tables of another user": {
    database: testDatabase,
    plant: ["ALTER DATABASE NAME OWNER TO ROLE"],
    state: "problem",
    message: /^the user \S+ may not read and change accounts, .* and \d+ more tables$/,
  },
  "change one table": {
    database: testDatabase,
    plant: ["ALTER DATABASE NAME OWNER TO ROLE", "OWN", "REVOKE UPDATE ON skins FROM ROLE"],
    state: "problem",
    message: /^the user \S+ may not read and change skins$/,
  },
  "migrate tables of another user": {
    database: testDatabase,
    plant: ["ALTER DATABASE NAME OWNER TO ROLE", "GRANT ALL ON ALL TABLES IN SCHEMA public TO ROLE"],
    state: "warning",
    message: /more tables belong to another user \(postgres\), so a new version of the program cannot change/,
  },
  "make a schema to compare with": {
    database: testDatabase,
    plant: ["GRANT CREATE ON SCHEMA public TO ROLE", "OWN"],
    state: "warning",
    message: /may make no schema, so its tables are not compared/,
  },
};

const own = `SELECT format('ALTER TABLE %s OWNER TO ROLE', oid::regclass) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace \\gexec`;

/** Carries statements out as psql does, which runs what a query ending with `\gexec` gives. */
async function carryOut(sql: SQL, text: string): Promise<void> {
  if (!text.endsWith("\\gexec")) return void (await sql.unsafe(text));
  const rows: readonly (readonly string[])[] = await sql.unsafe(text.slice(0, -"\\gexec".length)).values();
  for (const [statement = ""] of rows) await sql.unsafe(statement);
}

describe.skipIf(postgresMissing !== null)("a user of a database that may not", () => {
  test.each(Object.entries(cases))("%s", async (_, { database, plant, state, message }) => {
    await using folder = await temporaryFolder();
    const role = `cloakroom_role_${crypto.randomUUID().slice(0, 8)}`;
    await using opened = new AsyncDisposableStack();
    const made = await database();
    const sql = opened.use(new SQL({ url: made.url, max: 1 }));
    const url = new URL(made.url);
    [url.username, url.password] = [role, "a-password-of-this-test"];
    opened.defer(async () => {
      await sql.unsafe(`DROP OWNED BY ${role} CASCADE`);
      // A database that it owns is no part of that.
      await sql.unsafe(`ALTER DATABASE ${made.name} OWNER TO CURRENT_USER`);
      await sql.unsafe(`DROP ROLE ${role}`);
      await made[Symbol.asyncDispose]();
    });
    await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${url.password}'`);
    for (const text of plant)
      await carryOut(
        sql,
        text
          .replace("OWN", () => (text === "OWN" ? own : "OWN"))
          .replaceAll("ROLE", role)
          .replaceAll("NAME", made.name),
      );
    const look = async () =>
      (
        await examineIn(folder.path, {
          DATABASE_URL: url.href,
          JWT_SECRET: "correct horse battery staple, twice",
        })
      ).findings.filter(
        ({ check, message }) =>
          /user|permission|denied/.test(message) && check !== "settings" && check !== "open files",
      );

    const found = await look();
    expect(found).toEqual([
      { check: "database", state, message: expect.stringMatching(message), remedy: expect.any(String) },
    ]);
    const [, statement = ""] = /^as a superuser, connected to \S+: (.*)$/.exec(found[0]?.remedy ?? "") ?? [];
    await carryOut(sql, statement);
    expect(await look()).toEqual([]);
  });
});
