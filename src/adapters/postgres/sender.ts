/** One row: its values in the order of the statement's columns. `int8` is a number, `numeric` a text. */
export type Row = readonly unknown[];

/** What sends statements to the database: on any connection of a pool, or on the one of a transaction. */
export type Sender = {
  /** `$1` in the text is the first value. Fails with what `faults.ts` makes of the server's error. */
  readonly send: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;
};
