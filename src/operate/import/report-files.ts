import { randomUUID } from "node:crypto";
import { realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Decided } from "../../domain/model/import-plan.ts";
import type { PlanBook } from "../../domain/ports/plan-book.ts";
import { csvLine, csvOpening } from "../../http/csv.ts";
import { makeFolder, writeNew } from "../../kernel/durable-files.ts";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";

/** Rows that are written at a time. */
const rowsAtOnce = 1000;

/**
 * Makes the folder of the report. Fails with invalid, naming it, where that cannot be, and within the data
 * folder, where a dry run writes nothing.
 */
export async function makeReportFolder(folder: string, dataDir: string): Promise<void> {
  const [within, data] = await Promise.all([folder, dataDir].map(realPlace));
  if (`${within}/`.startsWith(`${data}/`))
    throw new PlainError(
      "invalid",
      `the report cannot be written to ${folder}: it is in the data folder; name another one`,
    );
  return makeFolder(folder).catch((cause: unknown) => fail(folder, cause));
}

/** Where a path leads by links, also if nothing is there yet. */
async function realPlace(path: string): Promise<string> {
  const whole = resolve(path);
  const real = await realpath(whole).catch(() => null);
  return real ?? (whole === dirname(whole) ? whole : join(await realPlace(dirname(whole)), basename(whole)));
}

/** Writes what was decided of each record, and what people should look at, into a folder. */
export async function writePlanFiles(folder: string, book: PlanBook, summary: object): Promise<void> {
  await replaceFile(folder, "plan.jsonl", linesOf(book));
  await replaceFile(folder, "problems.csv", problemsOf(book));
  await writeSummary(folder, summary);
}

/** Writes or replaces `summary.json`. */
export function writeSummary(folder: string, summary: object): Promise<void> {
  return replaceFile(folder, "summary.json", [`${JSON.stringify(summary, null, 2)}\n`]);
}

/** Writes what was decided of each record when it was applied. */
export async function writeResult(folder: string, rows: Iterable<readonly Decided[]>): Promise<void> {
  await replaceFile(folder, "result.jsonl", jsonLines(rows));
}

/** The name leads to the old file or to the whole new one. Only its owner may read it. */
async function replaceFile(folder: string, name: string, parts: Iterable<string>): Promise<void> {
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeNew(draft, contentOf(parts));
    await rename(draft, join(folder, name));
  } catch (cause) {
    await rm(draft, { force: true });
    fail(folder, cause);
  }
}

function fail(folder: string, cause: unknown): never {
  const reason = systemReasons[codeOf(cause) ?? ""];
  if (reason === undefined) throw cause;
  throw new PlainError("invalid", `the report cannot be written to ${folder}: ${reason}`, { cause });
}

async function* contentOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const part of parts) yield encoder.encode(part);
}

function linesOf(book: PlanBook): Iterable<string> {
  return jsonLines(book.decided(rowsAtOnce));
}

function* jsonLines(pages: Iterable<readonly Decided[]>): Generator<string> {
  for (const page of pages)
    yield page
      .map(
        ({ n, source, kind, decision, reason, from, to }) =>
          `${JSON.stringify({ n, source, kind, decision, reason, from, to })}\n`,
      )
      .join("");
}

/** Everything that has a reason, in the form that spreadsheets read. */
function* problemsOf(book: PlanBook): Generator<string> {
  yield csvOpening + csvLine(["n", "kind", "decision", "source", "from", "to", "reason"]);
  for (const page of book.decided(rowsAtOnce)) {
    yield page
      .filter(({ reason }) => reason !== "")
      .map(({ n, kind, decision, source, from, to, reason }) =>
        csvLine([n, kind, decision, source, from, to, reason]),
      )
      .join("");
  }
}
