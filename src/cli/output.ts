/** How results and progress are printed. */
import type { ListPage } from "../domain/model/list-page.ts";
import type { Progress } from "../domain/backup/progress.ts";
import { limits } from "../kernel/limits.ts";
import type { Io } from "./io.ts";

/** A value as `--json` prints it: indented, with a line end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Columns as wide as their widest cell. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const text = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${text.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Lines of `name: value` with the values in one column; a dash stands for an empty value. */
export function factsText(facts: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2;
  const lines = Object.entries(facts).map(
    ([name, value]) => `${`${name}:`.padEnd(width)}${value === "" ? "-" : value}`,
  );
  return `${lines.join("\n")}\n`;
}

/**
 * A text that other people wrote, for a terminal: what would steer it, or hide or turn other letters, stands
 * as an escape.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}

/** `1 skin`, `2 skins`; `many` is for nouns and phrases that do not take an s. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A list and how it is printed. */
type PrintedList<Row> = {
  readonly pages: AsyncIterable<readonly Row[]>;
  /** The number of rows; null: not known. */
  readonly total: number | null;
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly string[];
  /** What `--json` prints of a row. */
  readonly record: (row: Row) => object;
};

/** All pages of a list, one at a time: a million rows are never in memory at once. The first may be empty. */
export async function* pagesOf<Row>(
  read: (after: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => number,
): AsyncIterable<readonly Row[]> {
  for (let after = 0; ;) {
    const page = await read(after);
    const last = page.at(-1);
    if (after === 0 || last !== undefined) yield page;
    if (last === undefined) return;
    after = idOf(last);
  }
}

/** The page that follows this row in an unfiltered list. */
export function pageAfter(after: number, rows: number = limits.pageRowsMax): ListPage {
  return { after, rows, search: null };
}

/** Prints a list while it is read. If it goes into a file, the terminal shows the progress. */
export async function printList<Row>(io: Io, json: boolean, list: PrintedList<Row>): Promise<void> {
  using shown = showProgress({ ...io, errorIsTerminal: io.errorIsTerminal && !io.outIsTerminal });
  let done = 0;
  let before = "[";
  for await (const page of list.pages) {
    const text = json
      ? before + itemsText(page.map(list.record))
      : tableText(list.head, page.map(list.cells));
    if (!(await io.stream(text))) return;
    done += page.length;
    before = ",";
    shown.progress("listing", done, list.total);
  }
  if (json) await io.stream("\n]\n");
}

/** The items of an array, without the brackets. */
function itemsText(items: readonly object[]): string {
  return JSON.stringify(items, null, 2).slice(1, -1).trimEnd();
}

/** The progress line is written this often, in milliseconds. */
const lineMs = 100;

/** Shows the progress of long work in one line of a terminal, which disappears when the scope ends. */
export function showProgress(io: Io): Disposable & { readonly progress: Progress } {
  if (!io.errorIsTerminal) return { progress: () => undefined, [Symbol.dispose]: () => undefined };
  let shownAt = 0;
  return {
    progress: (step, done, total) => {
      const now = performance.now();
      if (now - shownAt < lineMs) return;
      shownAt = now;
      io.error(`\r\x1b[K${step}: ${done}${total === null ? "" : ` of ${total}`}`);
    },
    [Symbol.dispose]: () => io.error("\r\x1b[K"),
  };
}
