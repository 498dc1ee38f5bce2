/*
 * The same community on PostgreSQL and on SQLite: what a node spends on a request, how soon it starts, its
 * memory.
 */
import { SQL } from "bun";
import { compareStarts, comparePair } from "./before.bench.ts";
import { prepareChanges } from "./changes.bench.ts";
import { fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { startLoad } from "./peer.ts";
import type { Line } from "./report.ts";
import { type Cost, fromMemory, lookedUp, type Served, written } from "./request-costs.ts";
import { median } from "./statistics.ts";
import type { Subject } from "./subject.ts";

/** As in the capacity plan. */
const changesPerSecond = 20;
const lookupGoal = 1.6;
const databaseRounds = 7;

/** Nothing where there is no PostgreSQL. */
export async function benchEngines(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("PostgreSQL against SQLite")) return [];
  await using both = await fillBoth(subject, { accounts: 3000, signedIn: 1500 });
  const { members } = both;
  const lines = await compareCosts(both);
  const head = `/api/skin/head/${members[1]?.uuid}?size=100`;
  const goals = { than: "on SQLite", time: 2, memory: 1.15 };
  return [...lines, ...(await compareStarts(both.onPostgres, both.onSqlite, head, goals)).map(onPostgres)];
}

function onPostgres(line: Line): Line {
  return { ...line, measure: line.measure.replace("against", "on PostgreSQL against") };
}

async function compareCosts(both: Awaited<ReturnType<typeof fillBoth>>): Promise<readonly Line[]> {
  const { members } = both;
  await using postgres = await both.onPostgres();
  await using sqlite = await both.onSqlite();
  const pair = [
    { servers: [postgres], members },
    { servers: [sqlite], members },
  ] as const;
  const lines: Line[] = [];
  const beside = `cached head beside ${changesPerSecond} changes a second, on PostgreSQL against on SQLite`;
  const [here, there] = [await besideChanges(pair[0]), await besideChanges(pair[1])];
  const heads: Cost = (served, load) => (served === pair[0] ? here : there)(served, load);
  lines.push(await comparePair(beside, heads, pair, 1 / 0.95));
  for (const [what, cost] of Object.entries(lookedUp))
    lines.push(await comparePair(`${what}, on PostgreSQL against on SQLite`, cost, pair, lookupGoal));
  for (const [what, cost] of Object.entries(written)) {
    // Nothing is asked of these: they are there for the capacity plan.
    const { goal: _, ...line } = await comparePair(
      `${what}, on PostgreSQL against on SQLite`,
      cost,
      pair,
      lookupGoal,
    );
    lines.push(line);
  }
  for (const [what, cost] of Object.entries({ ...lookedUp, ...written }))
    lines.push(await measureDatabase(what, cost, pair[0], both.url));
  return lines;
}

/** What the database itself spends: the processes of its connections. */
async function measureDatabase(what: string, cost: Cost, served: Served, url: string): Promise<Line> {
  await using sql = new SQL({ url, max: 1 });
  const rows = await sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  const counted = rows.map(({ pid }: { readonly pid: number }) => pid);
  using load = startLoad();
  const rounds: number[] = [];
  for (let round = 0; round < databaseRounds; round++) rounds.push(await cost({ ...served, counted }, load));
  return {
    measure: `${what}: the database's part`,
    measured: median(rounds),
    unit: "µs",
    detail: `processor time of ${counted.length} connections`,
  };
}

/** With what the changes themselves cost, which is a hundredth of a core. */
async function besideChanges({ servers: [server], members }: Served): Promise<Cost> {
  const { "cached head, 100 px": head } = fromMemory;
  if (head === undefined || server === undefined) throw new Error("There is no such measurement");
  const changes = await prepareChanges(server, members, changesPerSecond);
  return (served, load) => changes.while(() => head(served, load));
}
