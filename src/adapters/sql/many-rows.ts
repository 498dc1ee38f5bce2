/** Insertions of many rows by one statement. */
import { getTableName, is, sql, type Column, type SQL } from "drizzle-orm";
import { PgCustomColumn, type PgTable } from "drizzle-orm/pg-core";
import { rowsIn } from "./dialect.ts";

/** Columns of one table, by the names that rows have for them. */
export type ManyColumns = Readonly<Record<string, Column>>;

/**
 * Inserts a row for each list of the value `rows`, which has a cell for each column in their order.
 * `cellsFor` makes these lists.
 */
export function insertionOfMany(table: PgTable, columns: ManyColumns): SQL {
  const names = Object.values(columns).map(({ name }) => sql.identifier(name));
  return sql`
    INSERT INTO ${sql.identifier(getTableName(table))} (${sql.join(names, sql`, `)})
    SELECT ${givenCells(columns)} FROM ${rowsIn(sql.placeholder("rows"))} WHERE true`;
}

/** The cells of a given row, each with its column's type, in the order of the columns. */
function givenCells(columns: ManyColumns): SQL {
  const cells = Object.values(columns).map((column, place) => {
    const type = sqlTypeOf(column);
    return sql.raw(type === "text" ? `value ->> ${place}` : `CAST(value ->> ${place} AS ${type})`);
  });
  return sql.join(cells, sql`, `);
}

/** Rows as `insertionOfMany` takes them. */
export function cellsFor<Columns extends ManyColumns>(
  columns: Columns,
  rows: readonly Readonly<Record<keyof Columns, string | number | boolean | null>>[],
): readonly (readonly unknown[])[] {
  const names: readonly (keyof Columns)[] = Object.keys(columns);
  return rows.map((row) => names.map((name) => row[name]));
}

function sqlTypeOf(column: Column): "bigint" | "boolean" | "text" {
  const type = column.getSQLType();
  if (type === "bigint" || type === "boolean") return type;
  if (is(column, PgCustomColumn) && type.startsWith("text")) return "text";
  throw new Error(`${column.name} is of a type that many rows are not inserted with`);
}
