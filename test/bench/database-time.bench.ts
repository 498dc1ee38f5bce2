/*
 * PostgreSQL's own time, on a server as its package ships it: beside an idle node, and for what communities
 * ask most.
 *
 *   BASELINE=dist/older/cloakroom bun run bench --only database-time     and the same of another program
 */
import { SQL } from "bun";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeCluster, startPostgres, superuserAddress } from "../support/postgres-program.ts";
import { freePort, runFolder } from "../support/run-servers.ts";
import { alsoOfBaseline } from "./baseline-program.ts";
import { startLoad } from "./peer.ts";
import { type BothEngines, fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { processorMicroseconds } from "./processor-time.ts";
import type { Line } from "./report.ts";
import { type Cost, costOfEach, lookedUp, nextTurn, written } from "./request-costs.ts";
import { median } from "./statistics.ts";
import type { Subject } from "./subject.ts";

const settleMs = 5_000;
const idleSeconds = 30;
const rounds = 5;

/** Nothing where there is no PostgreSQL. */
export async function benchDatabaseTime(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("PostgreSQL's own time")) return [];
  return alsoOfBaseline(subject, async (one) => {
    await using both = await fillBoth(one, { accounts: 3000, signedIn: 1500 }, shippedServer);
    return [await measureIdle(both), ...(await measureCalls(both))];
  });
}

/** A server with the settings of its package, and its first database, which is empty. */
async function shippedServer() {
  await using opened = new AsyncDisposableStack();
  const folder = join(runFolder(), `shipped-${crypto.randomUUID()}`);
  await mkdir(folder, { mode: 0o755 });
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const password = "a-password-of-this-bench";
  const data = join(folder, "data");
  await makeCluster(data, password);
  const url = superuserAddress(freePort(), password);
  const log = join(folder, "log");
  opened.use(await startPostgres({ data, log, url, settings: {}, isAsShipped: true }));
  const closing = opened.move();
  return { url, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

async function measureIdle({ url, onPostgres }: BothEngines): Promise<Line> {
  await using _node = await onPostgres();
  await Bun.sleep(settleMs);
  const processes = await processesOf(url);
  const before = await timeOf(processes);
  await Bun.sleep(idleSeconds * 1000);
  return {
    measure: `PostgreSQL's processor time beside an idle node, ${idleSeconds} s`,
    measured: ((await timeOf(processes)) - before) / 1000,
    unit: "ms",
    detail: `${processes.length} connections of ${await versionOf(url)}`,
  };
}

/** The pages of staff by the administrator, who is the first member. */
const staffPage =
  (path: string): Cost =>
  (served) =>
    costOfEach(served, 40, () => ({
      path: `/api/admin/${path}`,
      init: { headers: { authorization: `Bearer ${served.members[0]?.token}` } },
    }));

const calls: Readonly<Record<string, Cost>> = {
  ...lookedUp,
  "a game's profile, looked up": (served) =>
    costOfEach(served, 3000, ({ uuid }) => ({
      path: `/api/yggdrasil/sessionserver/session/minecraft/profile/${uuid.replaceAll("-", "")}?${nextTurn()}`,
    })),
  ...written,
  "Overview, for staff": staffPage("overview"),
  "Users, for staff": staffPage("users?limit=50"),
  "Audit, for staff": staffPage("audit?limit=50"),
};

async function measureCalls({ url, onPostgres, members }: BothEngines): Promise<readonly Line[]> {
  await using server = await onPostgres();
  using load = startLoad();
  const served = { servers: [server], members };
  // Until all connections are open, and know their statements.
  for (const cost of Object.values(calls)) await cost(served, load);
  const counted = await processesOf(url);
  const lines: Line[] = [];
  for (const [what, cost] of Object.entries(calls)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await cost({ ...served, counted }, load));
    lines.push({ measure: `PostgreSQL's processor time: ${what}`, measured: median(times), unit: "µs" });
  }
  return lines;
}

/** Those that serve the connections of nodes. */
async function processesOf(url: string): Promise<readonly number[]> {
  await using sql = new SQL({ url, max: 1 });
  const rows = await sql`SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'cloakroom %'`;
  return rows.map(({ pid }: { readonly pid: number }) => pid);
}

async function timeOf(processes: readonly number[]): Promise<number> {
  const times = await Promise.all(processes.map(processorMicroseconds));
  return times.reduce((sum, time) => sum + time, 0);
}

async function versionOf(url: string): Promise<string> {
  await using sql = new SQL({ url, max: 1 });
  const [{ version }] = await sql`SELECT split_part(version(), ' on ', 1) AS version`;
  return version;
}
