/** How rows of a database become pages of records. */
import type { SourcePages } from "../../domain/ports/import-source.ts";
import type { SourceRow } from "./database.ts";

/** Each page of rows as a page of records. */
export async function* recordPages<Row>(
  pages: AsyncIterable<readonly SourceRow[]>,
  toRecord: (row: SourceRow) => Row | null,
): SourcePages<Row> & AsyncGenerator {
  for await (const rows of pages) {
    yield { rows: rows.flatMap((row) => toRecord(row) ?? []), problems: [] };
  }
}
