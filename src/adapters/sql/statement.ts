import {
  Column,
  getTableColumns,
  getTableName,
  is,
  Param,
  Placeholder,
  sql,
  type GetColumnData,
  type SQL,
  type SQLWrapper,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/pg-proxy";
import { PgBigInt53, PgCustomColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { limits } from "../../kernel/limits.ts";
import { spell, writeIn, type Dialect } from "./dialect.ts";
import type { Row, Sender } from "./sender.ts";

/**
 * What a cell becomes: by the column that it is of, or by a function, for what is computed. Null stays null.
 */
type Reader = Column | ((cell: never) => unknown);

/** What a row is read by. Columns of a second row of the same table are a group of their own. */
type Readers = { readonly [Name in string]: Reader | Readers };

type ReadBy<Reads extends Reader> = Reads extends Column
  ? GetColumnData<Reads>
  : Reads extends (...cells: never) => infer Value
    ? Value
    : never;

/** A row of these columns. One that an outer join found no row for has nulls, which the type does not say. */
export type RowOf<Read extends Readers> = {
  readonly [Name in keyof Read]: Read[Name] extends Reader
    ? ReadBy<Read[Name]>
    : Read[Name] extends Readers
      ? RowOf<Read[Name]>
      : never;
};

/** What placeholders stand for, by their names. */
type Values = Readonly<Record<string, unknown>>;

/** Sends the statement with these values. */
export type Command = (sender: Sender, values?: Values) => Promise<void>;

/** Sends the statement with these values and returns its rows. */
export type Statement<Row> = (sender: Sender, values?: Values) => Promise<readonly Row[]>;

const writer = new PgDialect();

/**
 * Builds statements; it sends none. SQLite reads the same text, but for insertions: `insertion` writes those.
 */
export const build = drizzle(() => Promise.reject(new Error("This database only builds statements")));

/**
 * A statement with placeholders, which is written once for each dialect, when it is first sent. `columns` are
 * what it returns, in this order. It leaves out what drizzle does around each query, which costs as much as
 * the driver does.
 */
export function statement<Read extends Readers>(query: SQLWrapper, columns: Read): Statement<RowOf<Read>> {
  const written = writtenOnce(query);
  const read = rowReader(columns);

  return async (sender, values = {}) => {
    const { text, slots } = written(sender.dialect);
    const rows = await sender.send(text, fill(slots, values));
    // Each cell is read as the type of its column says.
    return rows.map((row) => read(row) as RowOf<Read>);
  };
}

type RowReader = (row: Row, from?: number) => Readonly<Record<string, unknown>>;

function rowReader(columns: Readers): RowReader {
  const cells = Object.entries(columns).map(([name, reader]) => {
    const isCell = typeof reader === "function" || is(reader, Column);
    return isCell
      ? { name, width: 1, read: cellReader(reader) }
      : { name, width: Object.keys(reader).length, group: rowReader(reader) };
  });
  return (row, from = 0) => {
    const values: Record<string, unknown> = {};
    let index = from;
    for (const cell of cells) {
      if (cell.group === undefined) {
        const value = row[index] ?? null;
        values[cell.name] = value === null || cell.read === null ? value : cell.read(value);
      } else {
        values[cell.name] = cell.group(row, index);
      }
      index += cell.width;
    }
    return values;
  };
}

/** A statement that returns no rows. */
export function command(query: SQLWrapper): Command {
  const written = writtenOnce(query);
  return async (sender, values = {}) => {
    const { text, slots } = written(sender.dialect);
    await sender.send(text, fill(slots, values));
  };
}

/**
 * A write, and a second one. PostgreSQL gets both in one statement, in which `second` reads as the table
 * `name` what the write returns in these columns. SQLite has no such statement: it gets `each` with the
 * columns of every row, which it looks up by their names.
 */
export function chained(
  write: SQL,
  returned: Readonly<Record<string, Column>>,
  { name, second, each }: { readonly name: string; readonly second: SQL; readonly each: SQL },
): Command {
  const names = Object.values(returned).map((column) => sql.identifier(column.name));
  const first = sql`${write} RETURNING ${sql.join(names, sql`, `)}`;
  const both = command(sql`WITH ${sql.identifier(name)} AS (${first}) ${second}`);
  const alone = statement(first, returned);
  const then = command(each);
  return async (sender, values) => {
    if (sender.dialect !== "sqlite") return both(sender, values);
    for (const row of await alone(sender, values)) await then(sender, row);
  };
}

/** A value of a statement: one that it was written with, or one that is given with each sending. */
type Slot = { readonly value: unknown } | { readonly name: string; readonly encode: Encode | null };
type Encode = (value: unknown) => unknown;

type Written = { readonly text: string; readonly slots: readonly Slot[] };

/** Writes a statement at its first use in each dialect. */
function writtenOnce(query: SQLWrapper): (dialect: Dialect | undefined) => Written {
  const known: Partial<Record<Dialect, Written>> = {};
  return (dialect = "postgres") => (known[dialect] ??= writeIn(dialect, () => write(query)));
}

/** The text of a statement, for a caller that fills in its values in their order. */
export function textIn(dialect: Dialect, query: SQLWrapper): string {
  return writeIn(dialect, () => write(query)).text;
}

function write(query: SQLWrapper): Written {
  const { sql: text, params } = writer.sqlToQuery(query.getSQL());
  const slots = params.map((value): Slot => {
    if (is(value, Placeholder)) return { name: value.name, encode: null };
    if (!is(value, Param) || !is(value.value, Placeholder)) return { value };
    const { encoder } = value;
    return { name: value.value.name, encode: (given) => encoder.mapToDriverValue(given) };
  });
  return { text, slots };
}

function fill(slots: readonly Slot[], values: Values): readonly unknown[] {
  return slots.map((slot) => {
    if ("value" in slot) return slot.value;
    const value = values[slot.name];
    if (value === undefined) throw new Error(`A statement was sent without its value ${slot.name}`);
    return value === null || slot.encode === null ? value : slot.encode(value);
  });
}

/**
 * False for a text with a character of number 0: PostgreSQL keeps none, so no row has it, and refuses to look
 * for it.
 */
export function mayBeKept(text: string): boolean {
  return !text.includes("\0");
}

/** The only row, or the first; null when there is none. */
export function first<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null;
}

/**
 * The first rows of a query that has an order, as many as the value `rows` says: those of a page and one
 * more at most. PostgreSQL plans for a tenth of a table where it does not know that number, and would sort or
 * hash whole tables. The bound inside says it.
 */
export function firstOf(query: SQLWrapper): SQL {
  const some = sql`LIMIT CAST(${sql.placeholder("rows")} AS bigint)`;
  const bounded = sql`SELECT * FROM (${query.getSQL()} LIMIT ${sql.raw(String(limits.pageRowsMax + 1))}) AS listed`;
  return sql`${spell({ postgres: bounded, sqlite: query })} ${some}`;
}

/** The columns as a statement lists them. */
export function listed(columns: {
  readonly [Name in string]: Column | Readonly<Record<string, Column>>;
}): SQL {
  const all = Object.values(columns).flatMap((one) => (is(one, Column) ? [one] : Object.values(one)));
  return sql.join(all, sql`, `);
}

/** Inserts a row of these columns: a placeholder for each, by its name. */
export function insertion(table: PgTable, columns: Readonly<Record<string, Column>>): SQL {
  const names = Object.values(columns).map(({ name }) => sql.identifier(name));
  const values = Object.entries(columns).map(([name, column]) => sql.param(sql.placeholder(name), column));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) VALUES (${sql.join(values, sql`, `)})`;
}

/**
 * A change as an update's cells. Fails on a name that no column has: it would be left out and the change be
 * lost.
 */
export function cellsIn<Cells extends object>(table: PgTable, cells: Cells): Cells {
  const columns = getTableColumns(table);
  const unknown = Object.keys(cells).find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined) throw new Error(`${getTableName(table)} has no column for ${unknown}`);
  return cells;
}

/** What an insertion that meets a row sets these columns to: what it would have inserted. */
export function overwritten(columns: Readonly<Record<string, Column>>): SQL {
  const sets = Object.values(columns).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  return sql.join(sets, sql`, `);
}

/** What an update sets these columns to: a placeholder for each, by its name. */
export function setsOf<Names extends string>(columns: Readonly<Record<Names, Column>>) {
  const sets = Object.entries<Column>(columns).map(([name, column]) => [
    name,
    sql`${sql.param(sql.placeholder(name), column)}`,
  ]);
  // The names are those of the columns.
  return Object.fromEntries(sets) as Readonly<Record<Names, SQL>>;
}

/** Null where the sender's value needs no reading, as of texts and whole numbers. */
function cellReader(reader: Reader): ((cell: unknown) => unknown) | null {
  if (!is(reader, Column)) return reader as (cell: unknown) => unknown; // takes what the driver returns
  const isText = is(reader, PgCustomColumn) && Reflect.get(reader, "mapFrom") === undefined;
  return isText || is(reader, PgBigInt53) ? null : (cell) => reader.mapFromDriverValue(cell);
}
