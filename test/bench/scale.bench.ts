import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "../../tools/options.ts";
import { fillAccounts } from "./accounts-data.ts";
import { describeMachine, digits } from "./report.ts";
import { type Community, type Measurement, measurements } from "./scale-costs.ts";
import { drawPlot } from "./scale-plot.ts";
import { residentMebibytes } from "./start.bench.ts";
import { median } from "./statistics.ts";
import { buildSubject, type Subject } from "./subject.ts";

/** As many ask at every size: what grows then grows with the tables, not with those who ask. */
const signedIn = 1000;
const starts = 5;
const rounds = 5;
const growthGoal = 1.3;
const startGoalMs = 500;

const usage = `What grows with the number of accounts and what must not: bun run bench:scale.

  bun run bench:scale --sizes 1000,10000      other sizes, in rising order
  bun run bench:scale --plots docs/images     writes the plots there

It judges nothing: a busy machine misses goals that a quiet one reaches, so the exit code is 0 either way.`;

const options = readOptions(usage, {
  sizes: { type: "string", default: "1000,100000,1000000" },
  plots: { type: "string" },
});
const sizes = options.sizes.split(",").map(Number);

/** One line: a value for each size, and the growth from the first to the last where it has a goal. */
type Row = {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly goal: string;
};

const machine = await describeMachine();
await using subject = await buildSubject();
const folders = await fillAll(subject);
const startRow = await measureStarts(subject, folders);
const lookups = await measureLookups(subject, folders);
const backupRow = await measureBackups(subject, folders);
const rows = [...lookups.rows, startRow, ...lookups.memory, ...(backupRow === null ? [] : [backupRow])];
console.log(
  Object.entries(machine)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join("\n"),
);
console.log(`\n${tableOf(rows)}`);
if (options.plots !== undefined) await writePlots(options.plots);

type Folder = { readonly dataDir: string; readonly accounts: number; readonly members: Community["members"] };

async function fillAll({ folder }: Subject): Promise<readonly Folder[]> {
  const filled: Folder[] = [];
  for (const accounts of sizes) {
    const dataDir = join(folder, `accounts-${accounts}`);
    const start = performance.now();
    const count = { accounts, signedIn: Math.min(signedIn, accounts), textureFiles: true };
    const members = await fillAccounts(dataDir, count);
    const { size } = await stat(join(dataDir, "cloakroom.db"));
    console.error(`bench: ${accounts} accounts in ${seconds(start)} s, ${Math.round(size / 2 ** 20)} MiB`);
    filled.push({ dataDir, accounts, members });
  }
  return filled;
}

/** From the start of the process to its first answer, which looks somebody up. */
async function measureStarts({ serve }: Subject, folders: readonly Folder[]): Promise<Row> {
  const values: number[] = [];
  for (const { dataDir, members } of folders) {
    const times: number[] = [];
    for (let number = 0; number < starts; number++) {
      const start = performance.now();
      await using server = await serve(dataDir);
      const answer = await fetch(`${server.url}/api/skin/launcher/${members[number]?.uuid}`);
      await answer.bytes();
      times.push(performance.now() - start);
    }
    values.push(median(times));
  }
  return { name: "start to the first answer", unit: "ms", values, goal: `≤ ${startGoalMs} ms` };
}

/** All sizes in turn, so that what else the machine does meets them alike. */
async function measureLookups({ serve }: Subject, folders: readonly Folder[]) {
  await using servers = new AsyncDisposableStack();
  const communities: Community[] = [];
  for (const { dataDir, accounts, members } of folders) {
    const server = servers.use(await serve(dataDir));
    communities.push({ accounts, members, server, databasePath: join(dataDir, "cloakroom.db") });
  }
  const measured: Row[] = [];
  for (const measurement of measurements) measured.push(await compare(measurement, communities));
  const resident: number[] = [];
  for (const { server } of communities) resident.push((await residentMebibytes(server.pid)) ?? Number.NaN);
  const memory: Row = { name: "memory after all of this", unit: "MiB", values: resident, goal: "" };
  return { rows: measured, memory: [memory] };
}

async function compare({ name, cost }: Measurement, communities: readonly Community[]): Promise<Row> {
  for (const community of communities) await cost(community); // until the code is compiled
  const costs = communities.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, community] of communities.entries()) costs[at]?.push(await cost(community));
  }
  console.error(`bench: ${name}`);
  return { name, unit: "µs", values: costs.map(median), goal: `≤ ${growthGoal} times` };
}

/** Null when this program knows no backups. */
async function measureBackups({ folder, binary }: Subject, folders: readonly Folder[]): Promise<Row | null> {
  const { exitCode } = await Bun.$`${binary} backup --help`.nothrow().quiet();
  if (exitCode !== 0) return null;
  const values: number[] = [];
  for (const { dataDir, accounts } of folders) {
    const start = performance.now();
    await Bun.$`${binary} backup ${join(folder, `backup-${accounts}`)}`.env({ DATA_DIR: dataDir }).quiet();
    values.push((performance.now() - start) / 1000);
  }
  return { name: "backup", unit: "s", values, goal: "" };
}

function tableOf(all: readonly Row[]): string {
  const head = ["", ...sizes.map((size) => size.toLocaleString("en")), "growth", "goal"];
  const cells = all.map(({ name, unit, values, goal }) => [
    name,
    ...values.map((value) => `${digits(value)} ${unit}`),
    digits(growthOf(values)),
    goal,
  ]);
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...cells].map(line).join("\n");
}

function growthOf(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

async function writePlots(folder: string): Promise<void> {
  const growth = lookups.rows.map(({ name, values }) => ({
    name,
    values: values.map((value) => value / (values[0] ?? Number.NaN)),
  }));
  const plots = {
    "scale-growth.svg": drawPlot({
      title: "A request's cost, against the smallest community",
      unit: "times",
      sizes,
      series: growth,
      goal: growthGoal,
    }),
    "scale-costs.svg": drawPlot({
      title: "Processor time of a request",
      unit: "µs",
      sizes,
      series: lookups.rows,
    }),
    "scale-start.svg": drawPlot({
      title: "From the start to the first answer",
      unit: "ms",
      sizes,
      series: [startRow],
      goal: startGoalMs,
    }),
    "scale-memory.svg": drawPlot({
      title: "Memory after all of this",
      unit: "MiB",
      sizes,
      series: lookups.memory,
    }),
  };
  for (const [name, svg] of Object.entries(plots)) await Bun.write(join(folder, name), svg);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}
