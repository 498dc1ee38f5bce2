/**
 * No statement is compiled, on any connection that the program opens, and however dear the server takes it to
 * be.
 */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { userCreation } from "../cli/run-program.ts";
import { openNodes, until, type Nodes } from "../nodes/node-processes.ts";
import { emptyDatabase, postgresLog, postgresMissing } from "../support/postgres.ts";

const missing = postgresMissing ?? ((await postgresLog()) === null ? "its log cannot be read" : null);
if (missing !== null) console.error(`NOT RUN: what PostgreSQL compiles (${missing})`);

/**
 * From now on the server logs the plan of each statement in this database, and the settings that it was made
 * with.
 */
async function logPlans(url: string, name: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 });
  await sql.unsafe(`ALTER DATABASE ${name} SET session_preload_libraries = 'auto_explain'`);
  await sql.unsafe(`ALTER DATABASE ${name} SET auto_explain.log_min_duration = 0`);
  await sql.unsafe(`ALTER DATABASE ${name} SET auto_explain.log_settings = on`);
}

/** The plans in the server's log, as it prints them. */
async function plans(): Promise<readonly string[]> {
  return ((await postgresLog()) ?? "").split(/^(?!\t)/m).filter((entry) => / plan:$/m.test(entry));
}

/** A node's whole life, and the commands of its operator. */
async function operate(nodes: Nodes): Promise<void> {
  const command = async (...args: readonly string[]) =>
    expect((await nodes.command(args)).code).toBe(args[0] === "doctor" ? 1 : 0);
  const node = await nodes.start("one", { DATABASE_READ_URL: nodes.databaseUrl });
  await until(async () => (await node.ask("GET /health/ready")).status === 200);
  await command(...userCreation("Anna", "long enough"));
  await command("doctor");
  await command("backup", `${nodes.dataDir}.tar`);
  const given = { json: { username: "Anna", password: "long enough" } };
  expect((await node.ask("POST /api/auth/login", given)).status).toBe(200);
  node.signal("SIGTERM");
  await until(async () => node.hasEnded());
  await command("move", "--to", `${nodes.dataDir}-moved`);
}

/** What only one kind of connection asks. */
const kinds: Readonly<Record<string, string>> = {
  "the search for a server": "SELECT pg_is_in_recovery()",
  "bringing the schema up to date": "UPDATE marks SET value = $1 WHERE name = 'schema'",
  "a node's looks": "FROM change WHERE id > $1",
  "what keeps a node going": "UPDATE leases SET until",
  "a node's jobs": "UPDATE bulk_copying",
  requests: 'INSERT INTO "sessions"',
  doctor: "FROM pg_stat_replication",
  "backup and move": 'FROM pending_people  ORDER BY "hash"',
};

test.skipIf(missing !== null)(
  "no connection of a node or a command has its statements compiled",
  async () => {
    await using database = await emptyDatabase();
    await logPlans(database.url, database.name);
    await using nodes = await openNodes(database.url);
    await operate(nodes);
    const all = await plans();
    expect(Object.entries(kinds).filter(([, text]) => !all.some((plan) => plan.includes(text)))).toEqual([]);
    expect(all.filter((plan) => !plan.includes("jit = 'off'") || plan.includes("JIT:"))).toEqual([]);
  },
);
