/*
 * How soon the binary answers and draws, and what it occupies without requests: by itself, and in turn with
 * another program.
 *
 *   bun run bench --only start
 *   BASELINE=dist/older/cloakroom bun run bench --only start     and against another program
 */
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { digits, type Line } from "./report.ts";
import { inTurn, median } from "./statistics.ts";
import { createPlayer, openSubject, type Player, type Server, type Subject } from "./subject.ts";

const starts = 7;
const idleMilliseconds = 5000;
const restMilliseconds = 2500;
const pictures = { "head 100": ["head", 100], "body 256": ["body", 256], "body 512": ["body", 512] } as const;

/** A program, and a player with a skin in its filled folder. */
type Side = { readonly subject: Subject; readonly player: Player };
/** One number of one start, of whichever program. */
type Measurement = {
  readonly of: (side: Side) => Promise<number>;
  readonly unit: "ms" | "MiB";
  readonly goal?: number;
  /** The most that it may be of another program's. */
  readonly part: number;
  readonly detail?: string;
};

export async function benchStart(subject: Subject, player: Player): Promise<readonly Line[]> {
  const path = process.env["BASELINE"];
  if (path === undefined) return known(await alone({ subject, player }));
  const other = openSubject(resolve(path), join(subject.folder, "other"));
  await mkdir(other.folder);
  return known(await against({ subject, player }, { subject: other, player: await fill(other) }));
}

function known(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ measured }) => !Number.isNaN(measured));
}

async function fill(subject: Subject): Promise<Player> {
  await using server = await subject.serve();
  return await createPlayer(subject, server, 0);
}

const firstPictures = [0, restMilliseconds].flatMap((rest) =>
  Object.entries(pictures).map(([name, query]): [string, Measurement] => [
    `first picture, ${name}, asked ${rest === 0 ? "at once" : `${rest / 1000} s after the start`}`,
    { of: (side) => timeFirst(side, query, rest), unit: "ms", part: rest === 0 ? 1 : 0.25 },
  ]),
);

const measurements: Readonly<Record<string, Measurement>> = {
  "start of the binary to its first answer": {
    of: ({ subject, player }) => timeStart(() => subject.serve(), headOf(player), 200),
    unit: "ms",
    goal: 250,
    part: 0.8,
    detail: "answers with a picture",
  },
  "the same in an empty folder": {
    // There is no user yet, so the first answer is 404.
    of: ({ subject, player }) => timeStart(() => serveEmpty(subject), headOf(player), 404),
    unit: "ms",
    goal: 250,
    part: 0.8,
    detail: "makes the database",
  },
  "memory idle": {
    of: measureMemory,
    unit: "MiB",
    goal: 110,
    part: 0.895,
    detail: `resident ${idleMilliseconds / 1000} s after the start`,
  },
  ...Object.fromEntries(firstPictures),
};

function headOf({ uuid }: Player): string {
  return `/api/skin/head/${uuid}?size=100`;
}

async function serveEmpty(subject: Subject): Promise<Server> {
  return await subject.serve(await mkdtemp(join(subject.folder, "empty-")));
}

async function alone(side: Side): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const [measure, { of, unit, goal, detail }] of Object.entries(measurements)) {
    const found: number[] = [];
    for (let i = 0; i < starts; i++) found.push(await of(side));
    const most = `most of ${starts}: ${digits(Math.max(...found))} ${unit}`;
    lines.push({
      measure,
      ...(goal && { goal: { atMost: goal } }),
      measured: median(found),
      unit,
      detail: detail === undefined ? most : `${most}; ${detail}`,
    });
  }
  return lines;
}

async function against(ours: Side, theirs: Side): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const [what, { of, unit, part }] of Object.entries(measurements)) {
    const { first, second, ratio } = await inTurn(
      starts,
      () => of(ours),
      () => of(theirs),
    );
    lines.push({
      measure: `${what}, against the other program`,
      goal: { atMost: part },
      measured: ratio,
      unit: "times as much",
      detail: `${digits(first)} against ${digits(second)} ${unit}; ${starts} starts of each in turn`,
    });
  }
  return lines;
}

async function timeStart(serve: () => Promise<Server>, path: string, status: number): Promise<number> {
  const start = performance.now();
  await using server = await serve();
  await ask(server, path, status);
  return performance.now() - start;
}

async function timeFirst(
  { subject, player }: Side,
  [view, size]: readonly [string, number],
  rest: number,
): Promise<number> {
  await using server = await subject.serve();
  await Bun.sleep(rest);
  const start = performance.now();
  await ask(server, `/api/skin/${view}/${player.uuid}?size=${size}&type=player`, 200);
  return performance.now() - start;
}

async function ask(server: Server, path: string, status: number): Promise<void> {
  const answer = await fetch(server.url + path);
  await answer.bytes();
  if (answer.status !== status) throw new Error(`The first answer is ${answer.status}, not ${status}`);
}

/** NaN where the system does not say. */
async function measureMemory({ subject }: Side): Promise<number> {
  await using server = await subject.serve();
  await Bun.sleep(idleMilliseconds);
  return (await residentMebibytes(server.pid)) ?? Number.NaN;
}

/** Resident memory as Linux reports it; null on other systems. */
export async function residentMebibytes(pid: number): Promise<number | null> {
  // Not `Bun.file`, which takes a file of /proc for empty because its size is 0.
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmRSS:\s+(?<kib>\d+) kB$/m.exec(status)?.groups?.["kib"];
  return kibibytes === undefined ? null : Number(kibibytes) / 1024;
}
