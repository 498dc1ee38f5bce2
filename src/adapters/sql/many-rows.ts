/** Insertions of many rows by one statement. */
import { getTableName, sql, type Column, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { rowsIn, spell } from "./dialect.ts";
import type { Sender } from "./sender.ts";

/** Columns of one table, by the names that rows have for them. */
export type ManyColumns = Readonly<Record<string, Column>>;
/** Rows of such columns. */
export type ManyRows<Columns extends ManyColumns> = readonly Readonly<
  Record<keyof Columns, string | number | boolean | null>
>[];

/**
 * Inserts the rows that `valuesOf` gives. PostgreSQL gets a list for each column, because of a row in JSON it
 * would read all for each of its cells. With prefixes one statement has the values of several insertions.
 */
export function insertionOfMany(table: PgTable, columns: ManyColumns, prefix = ""): SQL {
  const names = Object.values(columns).map(({ name }) => sql.identifier(name));
  const lists = Object.keys(columns).map(
    (name) => sql`${sql.placeholder(prefix + name)}::${listTypeOf(columns, name)}`,
  );
  const cells = Object.values(columns).map((column, place) => cellOf(column, sql.raw(`value ->> ${place}`)));
  const given = Object.values(columns).map((column) =>
    cellOf(column, sql`given.${sql.identifier(column.name)}`),
  );
  return sql`
    INSERT INTO ${sql.identifier(getTableName(table))} (${sql.join(names, sql`, `)}) ${spell({
      postgres: sql`SELECT ${joined(given)} FROM unnest(${joined(lists)}) AS given (${sql.join(names, sql`, `)})`,
      sqlite: sql`SELECT ${joined(cells)} FROM ${rowsIn(sql.placeholder("rows"))} WHERE true`,
    })}`;
}

/** Rows as `insertionOfMany` takes them. */
export function valuesOf<Columns extends ManyColumns>(
  db: Pick<Sender, "dialect">,
  columns: Columns,
  rows: ManyRows<Columns>,
  prefix = "",
): Readonly<Record<string, unknown>> {
  if (db.dialect === "sqlite") return { rows: cellsFor(columns, rows) };
  return Object.fromEntries(
    Object.keys(columns).map((name) => [prefix + name, rows.map((row) => listCell(row[name] ?? null))]),
  );
}

/** Rows as lists of their cells, in the order of the columns. */
export function cellsFor<Columns extends ManyColumns>(
  columns: Columns,
  rows: ManyRows<Columns>,
): readonly (readonly unknown[])[] {
  const names: readonly (keyof Columns)[] = Object.keys(columns);
  return rows.map((row) => names.map((name) => row[name]));
}

function listCell(cell: string | number | boolean | null): string | number | null {
  return typeof cell === "boolean" ? String(cell) : cell;
}

function joined(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}

/** Flags go as texts, which both engines turn into theirs. */
function listTypeOf(columns: ManyColumns, name: string): SQL {
  return sql.raw(columns[name]?.getSQLType() === "bigint" ? "bigint[]" : "text[]");
}

function cellOf(column: Column, cell: SQL): SQL {
  const type = column.getSQLType();
  return type === "bigint" || type === "boolean" ? sql`CAST(${cell} AS ${sql.raw(type)})` : cell;
}
