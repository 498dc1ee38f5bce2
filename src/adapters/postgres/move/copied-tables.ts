/** What statements read and write of the tables that are copied. */
import type { CopiedTable } from "../../../domain/ports/table-copy.ts";

/**
 * What was counted and is not added yet belongs to the counts, and what happened and has no number yet to the
 * events.
 */
const sums: Readonly<Record<string, string>> = {
  row_counts: `(SELECT name, sum(rows)::bigint AS rows FROM (
      SELECT name, rows FROM row_counts UNION ALL SELECT name, delta FROM count_deltas WHERE name NOT LIKE '%:%') AS counted
    GROUP BY name) AS row_counts`,
  daily_counts: `(SELECT day, what, sum(times)::bigint AS times FROM (
      SELECT day, what, times FROM daily_counts
      UNION ALL SELECT split_part(name, ':', 2)::bigint, split_part(name, ':', 1), delta FROM count_deltas WHERE name LIKE '%:%') AS counted
    GROUP BY day, what) AS daily_counts`,
  events: `(SELECT id, at, type, body FROM events
    UNION ALL SELECT (SELECT value::bigint FROM marks WHERE name = 'last_event') + row_number() OVER (ORDER BY seq), at, type, body
    FROM event_notes) AS events`,
};

/** Where the rows of a table are read. */
export function relationOf({ name }: CopiedTable): string {
  return sums[name] ?? name;
}

/** Reads a page: `$1` is how many rows, what follows the key of the row before. */
export function pageText(table: CopiedTable, hasBefore: boolean): string {
  const cells = table.columns.map(({ name, kind }) => (kind === "flag" ? `"${name}"::int` : `"${name}"`));
  const keys = table.key.map((index) => `"${table.columns[index]?.name ?? ""}"`).join(", ");
  const from = hasBefore
    ? `WHERE (${keys}) > (${table.key.map((_, place) => `$${place + 2}`).join(", ")})`
    : "";
  return `SELECT ${cells.join(", ")} FROM ${relationOf(table)} ${from} ORDER BY ${keys} LIMIT $1`;
}

/** Adds rows: `$1` holds the first column of all rows, `$2` the second one. */
export function insertText({ name, columns }: CopiedTable): string {
  const types = { number: "bigint", flag: "int", text: "text" } as const;
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const given = columns.map(({ kind }, place) => `$${place + 1}::${types[kind]}[]`).join(", ");
  const cells = columns.map((column) =>
    column.kind === "flag" ? `"${column.name}"::boolean` : `"${column.name}"`,
  );
  return `INSERT INTO ${name} (${names}) SELECT ${cells.join(", ")} FROM unnest(${given}) AS given (${names})`;
}
