/*
 * Two nodes over one PostgreSQL: what a request costs in all, and how soon one node shows what was changed at
 * the other.
 */
import { comparePair } from "./before.bench.ts";
import { startLoad } from "./peer.ts";
import { type BothEngines, fillBoth, isPostgresMissing } from "./postgres-data.ts";
import { digits, type Line } from "./report.ts";
import { type Cost, lookedUp, selectionOf, skinsOf, uploadOf } from "./request-costs.ts";
import type { SignedIn } from "./accounts-data.ts";
import type { Server, Subject } from "./subject.ts";

const changesSeen = 100;
const warmPasses = 10;
const msBetweenChanges = 80;

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

async function compareNodes({
  onPostgres,
  onSqlite,
  onCopy,
  members,
}: BothEngines): Promise<readonly Line[]> {
  const lines: Line[] = [];
  {
    await using nodes = await startTwo(onPostgres, onPostgres);
    for (const [what, cost] of Object.entries(lookedUp))
      lines.push(await compareTwo(`${what}, of two nodes against one`, cost, nodes.servers, members));
  }
  // Servers that share nothing but the machine: what two cost more here is its part of the figures above.
  await using apart = await startTwo(onCopy, onSqlite);
  for (const [what, cost] of Object.entries(lookedUp)) {
    const measure = `${what}, of two servers on SQLite against one`;
    const { goal: _, ...line } = await compareTwo(measure, cost, apart.servers, members);
    lines.push(line);
  }
  return lines;
}

type Two = readonly [Server, Server];

async function startTwo(one: () => Promise<Server>, other: () => Promise<Server>) {
  await using opened = new AsyncDisposableStack();
  const servers: Two = [opened.use(await one()), opened.use(await other())];
  const closing = opened.move();
  return { servers, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** By turns at both, against all at the first. */
async function compareTwo(
  measure: string,
  cost: Cost,
  servers: Two,
  members: readonly SignedIn[],
): Promise<Line> {
  using load = startLoad();
  // Until the code of both is compiled.
  for (let pass = 0; pass < warmPasses; pass++)
    for (const server of servers) await cost({ servers: [server], members }, load);
  const pair = [
    { servers, members },
    { servers: [servers[0]], members },
  ] as const;
  return await comparePair(measure, cost, pair, 1.1);
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
  const changing = members.filter((_, number) => number % 50 === 3);
  const toggles = await Promise.all(changing.map((member) => makeToggle(one, member)));
  const times: number[] = [];
  const underway: Promise<unknown>[] = [];
  for (let number = 0; number < changesSeen; number++) {
    const toggle = toggles[number % toggles.length];
    if (toggle !== undefined) underway.push(timeChange(other, toggle).then((time) => times.push(time)));
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

type Toggle = { readonly uuid: string; readonly change: () => Promise<void> };

/** Makes a member show a skin that no other has, and the one before, by turns. */
async function makeToggle({ url }: Server, member: SignedIn): Promise<Toggle> {
  const send = async (path: string, init?: RequestInit) => {
    const answer = await fetch(url + path, init);
    await answer.bytes();
    if (!answer.ok) throw new Error(`A change is answered with ${answer.status}`);
  };
  const { path, init } = uploadOf(member);
  await send(path, init);
  const skins = await skinsOf(url, member);
  const select = (skin: string | undefined) => {
    const request = selectionOf(member, skin);
    return send(request.path, request.init);
  };
  await select(skins[0]);
  let isNewest = false;
  return {
    uuid: member.uuid,
    change: () => {
      isNewest = !isNewest;
      return select(isNewest ? skins.at(-1) : skins[0]);
    },
  };
}

async function timeChange({ url }: Server, { uuid, change }: Toggle): Promise<number> {
  const shown = async () => (await fetch(`${url}/api/skin/launcher/${uuid}`)).text();
  const before = await shown();
  await change();
  const start = performance.now();
  while ((await shown()) === before) {
    if (performance.now() - start > 10_000) throw new Error("A change does not show");
    await Bun.sleep(2);
  }
  return performance.now() - start;
}
