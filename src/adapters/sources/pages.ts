/** How rows of a database become pages of records. */
import type { SourcePage } from "../../domain/ports/import-source.ts";
import type { SourceRow } from "./database.ts";
import { pageRows } from "./list-pages.ts";

/** Each page of rows as pages of records. */
export async function* recordPages<Row>(
  pages: AsyncIterable<readonly SourceRow[]>,
  toRecord: (row: SourceRow) => Row | null,
): AsyncGenerator<SourcePage<Row>> {
  for await (const rows of pages) {
    for (let start = 0; start < rows.length; start += pageRows) {
      const some = rows.slice(start, start + pageRows);
      yield { rows: some.flatMap((row) => toRecord(row) ?? []), problems: [] };
    }
  }
}
