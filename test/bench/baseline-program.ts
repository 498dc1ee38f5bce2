import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Line } from "./report.ts";
import { openSubject, type Subject } from "./subject.ts";

type Bench = (subject: Subject) => Promise<readonly Line[]>;

/**
 * The program that the environment's `BASELINE` names, with a folder of its own inside the subject's; null
 * without one.
 */
export async function openBaseline(subject: Subject): Promise<Subject | null> {
  const path = process.env["BASELINE"];
  if (path === undefined) return null;
  const folder = join(subject.folder, "baseline");
  await mkdir(folder, { recursive: true });
  return openSubject(resolve(path), folder);
}

/** What a bench measures of this program and, with `BASELINE`, of that one. */
export async function alsoOfBaseline(subject: Subject, bench: Bench): Promise<readonly Line[]> {
  const lines = await bench(subject);
  const other = await openBaseline(subject);
  if (other === null) {
    console.error("bench: NOT RUN: the same of another program (BASELINE names no binary)");
    return lines;
  }
  const before = await bench(other);
  return [...lines, ...before.map((line) => ({ ...line, measure: `${line.measure}, before` }))];
}
