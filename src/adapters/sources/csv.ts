import type { ImportSource } from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import { csvRecords, readHeading } from "./csv-fields.ts";
import type { SourceTools } from "./database.ts";
import type { SourceGiven } from "./given.ts";
import { listFields } from "./list-record.ts";
import { openList, requireFile } from "./list-source.ts";

/**
 * A file of comma-separated values, whose first line names the columns: those of `list-record.ts`, in any
 * order. Fails with invalid without a column that tells accounts apart.
 */
export async function openCsv(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const path = requireFile(given);
  const heading = await readHeading(path);
  const names = heading?.names ?? [];
  if (heading === null || !names.some((name) => name === "username" || name === "mail")) {
    throw new PlainError(
      "invalid",
      `${path}: line 1 has to name the columns, with username or mail among them; these are read: ${listFields.join(", ")}`,
    );
  }
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined)
    throw new PlainError("invalid", `${path}: line 1 names the column ${JSON.stringify(double)} twice`);
  const known: ReadonlySet<string> = new Set(listFields);
  const unknown = names.filter((name) => !known.has(name)).map((name) => JSON.stringify(name));
  const notes = unknown.length === 0 ? [] : [`these columns are not read: ${unknown.join(", ")}`];
  return openList({ system: "csv", path, notes, records: () => csvRecords(path, heading) }, tools);
}
