/**
 * The few words that PostgreSQL and SQLite spell differently. A store writes each statement once, with these
 * in it.
 */
import { sql, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";

/** What a sender's database speaks. */
export type Dialect = "postgres" | "sqlite";

/** The one that a statement is being written in. Writing never waits, so there is one at a time. */
let written: Dialect = "postgres";

/** Writes a statement in a dialect. */
export function writeIn<Text>(dialect: Dialect, write: () => Text): Text {
  written = dialect;
  return write();
}

/** A part of a statement that each dialect spells in its own way. */
export function spell(texts: Readonly<Record<Dialect, SQLWrapper>>): SQL {
  const part = { getSQL: () => texts[written].getSQL(), shouldOmitSQLParens: () => true };
  return sql`${part}`;
}

/** A list is one value, however long it is. */
type List = Placeholder | readonly unknown[];

/** The condition that a cell is in a list. */
export function isIn(cell: SQLWrapper, list: List, type: "bigint" | "text"): SQL {
  return spell({
    postgres: sql`${cell} = ANY(${sql.param(list)}::${sql.raw(type)}[])`,
    sqlite: sql`${cell} IN (SELECT value FROM json_each(${asJson(list)}))`,
  });
}

/** A cell by which SQLite looks nothing up (SQLite, "Query Planning"): another index is the better one. */
export function unindexed(cell: SQLWrapper): SQL {
  return spell({ postgres: sql`${cell}`, sqlite: sql`+${cell}` });
}

/**
 * The rows of a list, as something to select from: each is `value`. A list of lists is read with
 * `value ->> 0`.
 */
export function rowsIn(list: List, of: "lists" | "texts" = "lists"): SQL {
  return spell({
    // Of an array the planner expects ten rows, of JSON a hundred: it would read whole tables to join them.
    postgres:
      of === "texts"
        ? sql`unnest(${sql.param(list)}::text[]) AS given (value)`
        : sql`json_array_elements((${asJson(list)}::text)::json) AS given (value)`,
    sqlite: sql`json_each(${asJson(list)}) AS given`,
  });
}

/** The same with `place`, the number of each in the list. */
export function orderedRowsIn(list: Placeholder, of: "lists" | "texts" = "lists"): SQL {
  return spell({
    postgres:
      of === "texts"
        ? sql`unnest(${list}::text[]) WITH ORDINALITY AS given (value, place)`
        : sql`json_array_elements((${asJson(list)}::text)::json) WITH ORDINALITY AS given (value, place)`,
    sqlite: sql`(SELECT key AS place, value FROM json_each(${asJson(list)})) AS given`,
  });
}

function asJson(list: List) {
  return sql.param(list, { mapToDriverValue: (value) => JSON.stringify(value) });
}

/** What a table's rows are numbered by, in the order of their insertion. SQLite numbers rows by itself. */
export function orderOf(table: string, seq = "seq"): SQL {
  const name = sql.identifier(table);
  return spell({ postgres: sql`${name}.${sql.identifier(seq)}`, sqlite: sql`${name}.rowid` });
}
