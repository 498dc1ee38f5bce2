import type { Dialect } from "./dialect.ts";

/** One row: its values in the order of the statement's columns. `int8` is a number, `numeric` a text. */
export type Row = readonly unknown[];

/**
 * What sends statements to the database: on any connection of a pool, on the one of a transaction, or to a
 * file of SQLite.
 */
export type Sender = {
  /** Absent: PostgreSQL's. */
  readonly dialect?: Dialect;
  /** `$1` in the text is the first value. Fails with what the engine's `faults.ts` makes of the error. */
  readonly send: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
};
