/** What a node says of the standby that its commits wait for, and what it says while the database is away. */
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { jwtSecret } from "../support/harness.ts";
import { postgresMissing } from "../support/postgres.ts";
import { program } from "../support/program.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";

if (postgresMissing !== null) console.error(`NOT RUN: metrics of standbys (${postgresMissing})`);
const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

/** Starts a node with metrics, and resolves to their address. */
async function serve(folder: string, database: string) {
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      PORT: "0",
      METRICS_PORT: "0",
      DATA_DIR: join(folder, crypto.randomUUID()),
      DATABASE_URL: database,
      JWT_SECRET: jwtSecret,
      NODE_NAME: crypto.randomUUID().slice(0, 8),
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  let log = "";
  for await (const chunk of child.stderr) {
    log += new TextDecoder().decode(chunk);
    const [, address] =
      /"metrics are served","address":"([^"]+)"/.exec(log) ?? /"address":"(\S+\/metrics)"/.exec(log) ?? [];
    if (address !== undefined) return { address, [Symbol.dispose]: () => child.kill("SIGKILL") };
  }
  throw new Error(log);
}

/** Whether commits wait for a standby, how many there are, and whether the node shows its name. */
async function read(address: string) {
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  const metrics = parsePrometheusText(await answer.text());
  const valueOf = (name: string) => metrics.get(`cloakroom_${name}`)?.samples[0]?.value ?? null;
  return [valueOf("database_synchronous"), valueOf("database_standbys"), valueOf("node_info")];
}

test.skipIf(!own)("the standby that commits wait for is counted, also for an ordinary user", async () => {
  await using folder = await temporaryFolder();
  await using pair = await startReplicatedPostgres();
  await pair.makeDatabase("community");
  await using sql = new SQL({ url: pair.primary.url, max: 1 });
  await sql.unsafe("CREATE ROLE app LOGIN PASSWORD 'app'; ALTER DATABASE community OWNER TO app");
  const ordinary = new URL(pair.primary.url);
  Object.assign(ordinary, { username: "app", password: "app", pathname: "/community" });
  using one = await serve(folder.path, ordinary.href);
  using two = await serve(folder.path, pair.url("community"));
  const both = () => Promise.all([one, two].map(({ address }) => read(address)));
  const until = async (expected: unknown) => {
    while (!Bun.deepEquals(await both(), [expected, expected])) await Bun.sleep(200);
  };
  await until([1, 1, 1]);
  await pair.standby.kill();
  await until([1, 0, 1]);
  await pair.primary.kill();
  // The database is away: what it would say is missing, and all the rest is there.
  await until([null, null, 1]);
});
