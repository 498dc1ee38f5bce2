import type { ListPage } from "../domain/model/list-page.ts";
import { limits } from "../kernel/limits.ts";
import type { Io } from "./io.ts";
import { tableText } from "./output.ts";
import { showProgress } from "./progress.ts";

/** A list and how it is printed. */
type PrintedList<Row> = {
  readonly pages: AsyncIterable<readonly Row[]>;
  /** How many rows there are, where that is known. */
  readonly total: number | null;
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly string[];
  /** What `--json` prints of a row. */
  readonly record: (row: Row) => object;
};

/** Pages of a list: the first one, be it empty, and those that follow, so that a million rows are never in memory at once. */
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

/** The page of a list that follows this row: all of the list is wanted. */
export function pageAfter(after: number, rows: number = limits.pageRowsMax): ListPage {
  return { after, rows, search: null };
}

/** Prints a list as it is read, and where it goes into a file, shows on the terminal how far it is. */
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

/** The items of an array, without the brackets around them. */
function itemsText(items: readonly object[]): string {
  return JSON.stringify(items, null, 2).slice(1, -1).trimEnd();
}
