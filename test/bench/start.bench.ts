/* How soon the binary answers, and what it occupies without requests. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Line } from "./report.ts";
import { median } from "./statistics.ts";
import type { Player, Server, Subject } from "./subject.ts";

const starts = 7;
const idleMilliseconds = 5000;

export async function benchStart(subject: Subject, player: Player): Promise<readonly Line[]> {
  const path = `/api/skin/head/${player.uuid}?size=100`;
  const filled: number[] = [];
  const empty: number[] = [];
  for (let i = 0; i < starts; i++) {
    filled.push(await timeStart(() => subject.serve(), path, 200));
    // There is no user yet, so the first answer is 404.
    empty.push(await timeStart(() => subject.serve(join(subject.folder, `empty-${i}`)), path, 404));
  }
  return [
    {
      measure: "start of the binary to its first answer",
      goal: { atMost: 250 },
      measured: median(filled),
      unit: "ms",
      detail: `slowest of ${starts}: ${Math.max(...filled).toFixed(0)} ms; answers with a picture`,
    },
    {
      measure: "the same in an empty folder",
      goal: { atMost: 250 },
      measured: median(empty),
      unit: "ms",
      detail: `slowest of ${starts}: ${Math.max(...empty).toFixed(0)} ms; makes the database`,
    },
    ...(await measureMemory(subject, path)),
  ];
}

async function timeStart(serve: () => Promise<Server>, path: string, status: number): Promise<number> {
  const start = performance.now();
  await using server = await serve();
  const answer = await fetch(server.url + path);
  await answer.bytes();
  const milliseconds = performance.now() - start;
  if (answer.status !== status) throw new Error(`The first answer is ${answer.status}, not ${status}`);
  return milliseconds;
}

async function measureMemory(subject: Subject, path: string): Promise<readonly Line[]> {
  await using server = await subject.serve();
  const started = await residentMebibytes(server.pid);
  if (started === null) return [];
  await (await fetch(server.url + path)).bytes();
  await Bun.sleep(idleMilliseconds);
  const idle = (await residentMebibytes(server.pid)) ?? Number.NaN;
  return [
    {
      measure: "memory idle",
      goal: { atMost: 110 },
      measured: idle,
      unit: "MiB",
      detail: `resident ${idleMilliseconds / 1000} s after the first picture; ${started.toFixed(0)} MiB right after the start`,
    },
  ];
}

/** Resident memory as Linux reports it; null on other systems. */
export async function residentMebibytes(pid: number): Promise<number | null> {
  // Not `Bun.file`, which takes a file of /proc for empty because its size is 0.
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmRSS:\s+(?<kib>\d+) kB$/m.exec(status)?.groups?.["kib"];
  return kibibytes === undefined ? null : Number(kibibytes) / 1024;
}
