/** Pages of records for readers that hold a list, or that have no records of a kind. */
import type { SourcePages, SourceProblem } from "../../domain/ports/import-source.ts";

/** How many records a page has. A page of accounts is one look-up of names, addresses and uuids here. */
export const pageRows = 1000;

/** The pages of a kind of records that a system does not have. */
export async function* noPages(): SourcePages<never> {}

/** A list, a page at a time. The first page has the problems. */
export async function* listPages<Row>(
  rows: readonly Row[],
  problems: readonly SourceProblem[] = [],
): SourcePages<Row> {
  for (let start = 0; start < Math.max(rows.length, 1); start += pageRows) {
    yield { rows: rows.slice(start, start + pageRows), problems: start === 0 ? problems : [] };
  }
}
