/*
 * This program on SQLite against another one, such as the release before: `BASELINE` names that one's binary.
 *
 *   BASELINE=dist/older/cloakroom bun run bench --only before
 */
import { cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fillAccounts } from "./accounts-data.ts";
import { startLoad } from "./peer.ts";
import { processorMicroseconds } from "./processor-time.ts";
import { digits, type Line } from "./report.ts";
import { type Cost, fromMemory, lookedUp, type Served, written } from "./request-costs.ts";
import { residentMebibytes } from "./start.bench.ts";
import { inTurn, median } from "./statistics.ts";
import { openSubject, type Server, type Subject } from "./subject.ts";

const accounts = 5000;
const signedIn = 2000;
const rounds = 11;
const starts = 15;
const idleMilliseconds = 500;
/**
 * A server that was just started spends a third more on a lookup than it does a few ten thousand requests
 * later.
 */
const warmMilliseconds = 6000;
/** What one measurement may take more here than there: a request at least 0.95 times as often. */
const atMost = 1 / 0.95;

/** Nothing without the other binary. */
export async function benchBefore(subject: Subject): Promise<readonly Line[]> {
  const path = process.env["BASELINE"];
  if (path === undefined) {
    console.error("bench: NOT RUN: against the release before (BASELINE names no binary)");
    return [];
  }
  const before = openSubject(resolve(path), join(subject.folder, "before"));
  await mkdir(before.folder);
  const [ours, theirs] = [join(subject.folder, "ours"), join(before.folder, "theirs")];
  // Each brings it up to date by itself.
  const count = { accounts, signedIn, textureFiles: true, upToDate: false };
  const members = await fillAccounts(ours, count);
  await cp(ours, theirs, { recursive: true });
  const lines = await compareCosts(
    { serve: () => subject.serve(ours), members },
    { serve: () => before.serve(theirs), members },
  );
  const head = `/api/skin/head/${members[1]?.uuid}?size=100`;
  return [
    ...lines,
    ...(await compareStarts(
      () => subject.serve(ours),
      () => before.serve(theirs),
      head,
    )),
  ];
}

type Side = { readonly serve: () => Promise<Server>; readonly members: Served["members"] };

async function compareCosts(ours: Side, theirs: Side): Promise<readonly Line[]> {
  await using server = await ours.serve();
  await using other = await theirs.serve();
  const pair = [
    { servers: [server], members: ours.members },
    { servers: [other], members: theirs.members },
  ] as const;
  const lines: Line[] = [];
  for (const [what, cost] of Object.entries({ ...fromMemory, ...lookedUp, ...written })) {
    lines.push(await comparePair(`${what}, against the release before`, cost, pair, atMost));
  }
  return lines;
}

/** A line for what a request costs the first community's servers against the second's. */
export async function comparePair(
  measure: string,
  cost: Cost,
  [first, second]: readonly [Served, Served],
  goal: number,
): Promise<Line> {
  using load = startLoad();
  const [ofFirst, ofSecond] = [() => cost(first, load), () => cost(second, load)];
  const start = performance.now();
  while (performance.now() - start < warmMilliseconds) {
    await ofFirst();
    await ofSecond();
  }
  const found = await inTurn(rounds, ofFirst, ofSecond);
  return {
    measure,
    goal: { atMost: Number(goal.toFixed(2)) },
    measured: found.ratio,
    unit: "times as much",
    detail: `${digits(found.first)} against ${digits(found.second)} µs of processor time`,
  };
}

/** Time to the first answer, the processor's part of it, and memory, of starts in turn. */
export async function compareStarts(
  ours: () => Promise<Server>,
  theirs: () => Promise<Server>,
  path: string,
  given: { readonly than: string; readonly time: number; readonly memory: number } = {
    than: "the release before",
    time: 1.05,
    memory: 1.05,
  },
): Promise<readonly Line[]> {
  const all = { first: newSamples(), second: newSamples() };
  await startOnce(ours, path, newSamples());
  await startOnce(theirs, path, newSamples());
  for (let number = 0; number < starts; number++) {
    await startOnce(ours, path, all.first);
    await startOnce(theirs, path, all.second);
  }
  const line = (what: string, unit: string, of: keyof Samples, goal: number): Line => {
    const [first, second] = [median(all.first[of]), median(all.second[of])];
    return {
      measure: `${what}, against ${given.than}`,
      goal: { atMost: goal },
      measured: first / second,
      unit: "times as much",
      detail: `${digits(first)} against ${digits(second)} ${unit}; ${starts} starts of each in turn`,
    };
  };
  return [
    line("start to the first answer", "ms", "milliseconds", given.time),
    line("processor time of a start", "ms", "processor", given.time),
    line("memory idle", "MiB", "mebibytes", given.memory),
  ];
}

type Samples = Readonly<Record<"milliseconds" | "processor" | "mebibytes", number[]>>;

function newSamples(): Samples {
  return { milliseconds: [], processor: [], mebibytes: [] };
}

async function startOnce(serve: () => Promise<Server>, path: string, into: Samples): Promise<void> {
  const start = performance.now();
  await using server = await serve();
  const answer = await fetch(server.url + path);
  await answer.bytes();
  into.milliseconds.push(performance.now() - start);
  if (answer.status !== 200) throw new Error(`The first answer is ${answer.status}`);
  into.processor.push((await processorMicroseconds(server.pid)) / 1000);
  await Bun.sleep(idleMilliseconds);
  into.mebibytes.push((await residentMebibytes(server.pid)) ?? Number.NaN);
}
