/* Two nodes over one PostgreSQL: what a request costs in all, and how soon one node shows what was changed at the other. */
import { comparePair } from "./before.bench.ts";
import { type BothEngines, fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { digits, type Line } from "./report.ts";
import { lookedUp, selection, type Wardrobe, wardrobesOf } from "./request-costs.ts";
import type { Server, Subject } from "./subject.ts";

const changesSeen = 100;
const msBetweenChanges = 60;

/** Nothing where there is no PostgreSQL. */
export async function benchNodes(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("two nodes")) return [];
  await using both = await fillBoth(subject, { accounts: 3000, signedIn: 1500 });
  return [
    ...(await compareNodes(both)),
    await measureFreshness(both, "with NOTIFY", 100, {}),
    // Nothing is heard then, as behind a pooler.
    await measureFreshness(both, "by polling alone", 600, { DATABASE_PREPARED: "false" }),
  ];
}

async function compareNodes({ onPostgres, members }: BothEngines): Promise<readonly Line[]> {
  await using one = await onPostgres();
  await using other = await onPostgres();
  const pair = [
    { servers: [one, other], members },
    { servers: [one], members },
  ] as const;
  const lines: Line[] = [];
  for (const [what, cost] of Object.entries(lookedUp))
    lines.push(await comparePair(`${what}, of two nodes against one`, cost, pair, 1.1));
  return lines;
}

/** From the answer to a change at one node until the other one shows it. */
async function measureFreshness(
  { onPostgres, members }: BothEngines,
  how: string,
  goal: number,
  settings: Readonly<Record<string, string>>,
): Promise<Line> {
  await using one = await onPostgres(settings);
  await using other = await onPostgres(settings);
  const wardrobes = await wardrobesOf({ servers: [one], members });
  const times: number[] = [];
  const underway: Promise<unknown>[] = [];
  for (let number = 0; number < changesSeen; number++) {
    underway.push(timeChange(one, other, wardrobes).then((time) => times.push(time)));
    await Bun.sleep(Math.random() * 2 * msBetweenChanges);
  }
  await Promise.all(underway);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return {
    measure: `change at one node to visible on the other, p99, ${how}`,
    goal: { atMost: goal },
    measured: at(0.99),
    unit: "ms",
    detail: `middle ${digits(at(0.5))} ms, slowest of ${changesSeen} ${digits(at(1))} ms`,
  };
}

async function timeChange(one: Server, other: Server, wardrobes: readonly Wardrobe[]): Promise<number> {
  const { member, path, init } = selection(wardrobes);
  const shown = async () =>
    (await fetch(`${other.url}/api/skin/launcher/${member.uuid}`)).headers.get("etag") ?? "";
  const before = await shown();
  const answer = await fetch(one.url + path, init);
  await answer.bytes();
  if (!answer.ok) throw new Error(`A change is answered with ${answer.status}`);
  const start = performance.now();
  while ((await shown()) === before) {
    if (performance.now() - start > 10_000) throw new Error("A change does not show");
    await Bun.sleep(2);
  }
  return performance.now() - start;
}
