/** The newest timeline of each cluster that this node has used, also before its restart. */
import { rm } from "node:fs/promises";
import { BoundedMap } from "../../../kernel/bounded-map.ts";
import { moveInto, writeNew } from "../../../kernel/durable-files.ts";
import { readPlainTextSync } from "../../../kernel/plain-files.ts";
import type { Standing } from "./standing.ts";

/** A node uses one cluster, and another one after a move. */
const clustersMax = 16;
const bytesMax = 4096;

/** By the cluster's system identifier. */
const newest = new BoundedMap<string, number>(clustersMax);
let file: string | null = null;
let writing = Promise.resolve();

/** Reads what a node has noted in this file. One that cannot be read counts as empty. */
export function recallTimelines(path: string): void {
  for (const [, system = "", timeline] of textOf(path).matchAll(/^(\d{1,20}) (\d{1,10})$/gm))
    newest.set(system, Math.max(newest.get(system) ?? 0, Number(timeline)));
}

/** As `recallTimelines`, and notes in the file what is used from now on. A server does. */
export function keepTimelines(path: string): void {
  recallTimelines(path);
  file = path;
}

/** The newest timeline of the server's cluster, where that is newer than the server's own; else null. */
export function newerThan({ history }: Standing): number | null {
  const known = history === null ? undefined : newest.get(history.system);
  return known !== undefined && history !== null && known > history.timeline ? known : null;
}

/** The server is used: older timelines of its cluster are refused from now on. */
export function noteTimeline({ history }: Standing): void {
  if (history === null || (newest.get(history.system) ?? 0) >= history.timeline) return;
  newest.set(history.system, history.timeline);
  if (file === null) return;
  const path = file;
  // On a full disk it is remembered until the process ends.
  writing = writing.then(() => write(path)).catch(() => undefined);
}

function textOf(path: string): string {
  try {
    return readPlainTextSync(path, bytesMax);
  } catch {
    return "";
  }
}

/** Nodes may share the folder. */
async function write(path: string): Promise<void> {
  recallTimelines(path);
  const unfinished = `${path}.${process.pid}`;
  await rm(unfinished, { force: true });
  await writeNew(unfinished, [...newest].map(([system, timeline]) => `${system} ${timeline}\n`).join(""));
  await moveInto(unfinished, path);
}
