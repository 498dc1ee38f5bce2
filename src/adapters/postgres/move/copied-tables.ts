/** The tables that are copied to another engine, and from one, as statements read and write them. */
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { is } from "drizzle-orm";
import { copiedTables } from "../../../domain/model/copied-tables.ts";
import type { CopiedTable } from "../../../domain/ports/table-copy.ts";
import * as access from "../../sql/schema/access.ts";
import * as member from "../../sql/schema/member.ts";
import * as record from "../../sql/schema/record.ts";

export const described: readonly CopiedTable[] = describeTables();

/** What was counted and is not added yet belongs to the counts, and what happened and has no number yet to the events. */
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

function describeTables(): readonly CopiedTable[] {
  const tables = [...Object.values(member), ...Object.values(access), ...Object.values(record)];
  const configs = new Map(
    tables.flatMap((table) =>
      is(table, PgTable) ? [[getTableConfig(table).name, getTableConfig(table)]] : [],
    ),
  );
  return copiedTables.map((name) => {
    const config = configs.get(name);
    if (config === undefined) throw new Error(`there is no table ${name}`);
    const columns = config.columns
      .map((column) => ({ name: column.name, kind: kindOf(column.columnType) }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const keys = config.primaryKeys[0]?.columns ?? config.columns.filter(({ primary }) => primary);
    return { name, columns, key: keys.map((key) => columns.findIndex((column) => column.name === key.name)) };
  });
}

function kindOf(columnType: string): "number" | "flag" | "text" {
  if (columnType === "PgBoolean") return "flag";
  return columnType === "PgBigInt53" ? "number" : "text";
}
