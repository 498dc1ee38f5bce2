/*
 * Databases that tests use one after the other. To make one takes a tenth of a second, and to empty one that
 * a few rows were written to takes a hundredth: the scenarios over HTTP open thousands.
 */
import { SQL } from "bun";
import { testDatabase } from "./migrated-postgres.ts";
import { addressOf, asSuperuser, postgresServer, type TestDatabase } from "./postgres.ts";

/** What was deleted stays in the files until a database goes. */
const usesMax = 50;

/** A database that waits for its next test. */
type Idle = {
  readonly name: string;
  readonly uses: number;
  /** The rows that migrations made, by table, as JSON. */
  readonly firstRows: string;
};

/**
 * Lends a database with all migrations applied and nothing else in it. The test leaves its schema as it is.
 * On a server of `TEST_DATABASE_URL` each is a new one.
 */
export async function lentDatabase(): Promise<TestDatabase> {
  if (process.env["TEST_DATABASE_URL"] !== undefined) return testDatabase();
  const server = await postgresServer();
  const idle = (await asSuperuser(server, takeIdle)) ?? (await made());
  const url = addressOf(server, idle.name);
  return {
    name: idle.name,
    url,
    [Symbol.asyncDispose]: async () => {
      if (idle.uses + 1 >= usesMax) return drop(server, idle.name);
      await empty(url, idle.firstRows);
      await asSuperuser(server, (sql) => giveBack(sql, idle));
    },
  };
}

/** Of tests that look at once each gets another one. */
async function takeIdle(sql: SQL): Promise<Idle | null> {
  await sql`CREATE TABLE IF NOT EXISTS idle_databases (name text, uses int, first_rows text)`.catch(
    () => undefined,
  );
  const [row] = await sql`
    DELETE FROM idle_databases WHERE name = (SELECT name FROM idle_databases LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING name, uses, first_rows AS "firstRows"`;
  return row ?? null;
}

async function giveBack(sql: SQL, { name, uses, firstRows }: Idle): Promise<void> {
  await sql`INSERT INTO idle_databases VALUES (${name}, ${uses + 1}, ${firstRows})`;
}

async function made(): Promise<Idle> {
  const { name, url } = await testDatabase();
  await using sql = new SQL({ url, max: 1 });
  const tables = await tablesOf(sql);
  const parts = tables.map(
    (table) => `SELECT '${table}' AS name, json_agg(one)::text AS rows FROM ${table} one HAVING count(*) > 0`,
  );
  return { name, uses: 0, firstRows: JSON.stringify(await sql.unsafe(parts.join(" UNION ALL "))) };
}

async function drop(server: URL, name: string): Promise<void> {
  await asSuperuser(server, async (sql) => void (await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)));
}

/** Ends what is still connected, and makes the contents those of a new database. */
async function empty(url: string, firstRows: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  const tables = await tablesOf(sql);
  const rows: readonly { readonly name: string; readonly rows: string }[] = JSON.parse(firstRows);
  await sql.unsafe(
    [
      "BEGIN",
      // Without checks of references, so the order does not matter.
      "SET LOCAL session_replication_role = replica",
      ...tables.map((table) => `DELETE FROM ${table}`),
      `SELECT setval(format('%I', sequencename)::regclass, 1, false) FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL`,
      ...rows.map(({ name, rows: json }) => {
        const text = json.replaceAll("'", "''");
        return `INSERT INTO ${name} SELECT * FROM json_populate_recordset(null::${name}, '${text}')`;
      }),
      "COMMIT",
    ].join(";\n"),
  );
}

async function tablesOf(sql: SQL): Promise<readonly string[]> {
  const rows = await sql`SELECT oid::regclass::text AS name FROM pg_class
                         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`;
  return rows.map(({ name }: { readonly name: string }) => name);
}
