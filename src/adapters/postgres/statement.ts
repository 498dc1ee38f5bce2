import {
  Column,
  fillPlaceholders,
  is,
  sql,
  type GetColumnData,
  type SQL,
  type SQLWrapper,
} from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";

/** What statements are sent through: a pool, or the connection of a transaction. Rows are arrays, in the order of the columns. */
export type Sender = {
  readonly send: (text: string, values: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;
};

/** What a cell becomes: by the column that it is of, or by a function, for what is computed. Null stays null. */
type Reader = Column | ((cell: never) => unknown);

type Readers = Readonly<Record<string, Reader>>;

type ReadBy<Reads extends Reader> = Reads extends Column
  ? GetColumnData<Reads>
  : Reads extends (...cells: never) => infer Value
    ? Value
    : never;

/** A row of these columns. One that an outer join found no row for has nulls, which the type does not say. */
export type RowOf<Read extends Readers> = { readonly [Name in keyof Read]: ReadBy<Read[Name]> };

/** Sends the statement with these values and returns its rows. */
export type Statement<Row> = (
  sender: Sender,
  values?: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>;

const dialect = new PgDialect();

/** Builds statements; it sends none. */
export const build = drizzle(() => Promise.reject(new Error("This database only builds statements")));

/**
 * A statement with placeholders, which is written once, when it is first sent. `columns` are what it returns, in this order. It
 * leaves out what drizzle does around each query, which costs as much as the driver does.
 */
export function statement<Read extends Readers>(query: SQLWrapper, columns: Read): Statement<RowOf<Read>> {
  const written = once(() => dialect.sqlToQuery(query.getSQL()));
  const cells = Object.entries(columns).map(([name, reader]) => ({ name, read: cellReader(reader) }));

  return async (sender, values = {}) => {
    const { sql: text, params } = written();
    const rows = await sender.send(text, fillPlaceholders(params, values));
    return rows.map((cellsOfRow) => {
      const row: Record<string, unknown> = {};
      let index = 0;
      for (const { name, read } of cells) {
        const cell = cellsOfRow[index++] ?? null;
        row[name] = cell === null || read === null ? cell : read(cell);
      }
      // Each cell was read as the type of its column says.
      return row as RowOf<Read>;
    });
  };
}

/** A statement that returns no rows. */
export function command(
  query: SQLWrapper,
): (sender: Sender, values?: Readonly<Record<string, unknown>>) => Promise<void> {
  const written = once(() => dialect.sqlToQuery(query.getSQL()));
  return async (sender, values = {}) => {
    const { sql: text, params } = written();
    await sender.send(text, fillPlaceholders(params, values));
  };
}

/** The only row, or the first; null when there is none. */
export function first<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null;
}

/** The columns as a statement lists them. */
export function listed(columns: Readonly<Record<string, Column>>): SQL {
  return sql.join(Object.values(columns), sql`, `);
}

/** A placeholder for each of these columns, by its name. */
export function valuesOf<Names extends string>(columns: Readonly<Record<Names, Column>>) {
  return mapped(columns, (_, name) => sql.placeholder(name));
}

/** What an update sets these columns to: a placeholder for each, by its name. */
export function setsOf<Names extends string>(columns: Readonly<Record<Names, Column>>) {
  return mapped(columns, (column, name) => sql`${sql.param(sql.placeholder(name), column)}`);
}

/** What an insertion that meets a row sets these columns to: what it would have inserted. */
export function excluded<Names extends string>(columns: Readonly<Record<Names, Column>>) {
  return mapped(columns, (column) => sql`excluded.${sql.identifier(column.name)}`);
}

function mapped<Names extends string, Value>(
  columns: Readonly<Record<Names, Column>>,
  make: (column: Column, name: string) => Value,
): { readonly [Name in Names]: Value } {
  const made = Object.entries<Column>(columns).map(([name, column]) => [name, make(column, name)]);
  // The names are those of the columns.
  return Object.fromEntries(made) as { readonly [Name in Names]: Value };
}

/** Null where the driver's value needs no reading. Big integers arrive as text. */
function cellReader(reader: Reader): ((cell: unknown) => unknown) | null {
  if (!is(reader, Column)) return reader as (cell: unknown) => unknown; // takes what the driver returns
  if (reader.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (cell) => reader.mapFromDriverValue(cell);
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
