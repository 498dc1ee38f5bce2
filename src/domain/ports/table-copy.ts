import type { CopiedTableName } from "../model/copied-tables.ts";
import type { PlaceMark } from "./place-label.ts";

/** A value as a copy has it. A flag is 0 or 1. */
export type Cell = string | number | null;
/** The values of one row, in the order of the table's columns. */
export type CopiedRow = readonly Cell[];

/** A table, equal on every engine: its columns by name, and the positions of its key columns. */
export type CopiedTable = {
  readonly name: CopiedTableName;
  readonly columns: readonly { readonly name: string; readonly kind: "number" | "flag" | "text" }[];
  readonly key: readonly number[];
};

/**
 * How far a copy is: the table's position in `copiedTables`, and the key of the last copied row; null: no row
 * yet.
 */
export type CopyPosition = { readonly table: number; readonly after: readonly Cell[] | null };

/** The highest number that each table has given to a row, also to rows that are no more. */
export type LastNumbers = ReadonlyMap<CopiedTableName, number>;

/** The rows of a community. They do not change meanwhile. */
export interface TableSource {
  /** In the order of `copiedTables`. */
  readonly tables: readonly CopiedTable[];
  /** Rows in the order of the key, after a key; null: from the first. */
  rows(table: CopiedTable, after: readonly Cell[] | null, most: number): Promise<readonly CopiedRow[]>;
  count(table: CopiedTable): Promise<number>;
  lastNumbers(): Promise<LastNumbers>;
  /** The community's id, which buckets carry. */
  community(): Promise<string>;
  /** The id of the place of its textures. */
  readonly place: Pick<PlaceMark, "read">;
}

/** Where rows go. All of it can be ended between any two steps, and done again. */
export interface TableTarget extends TableSource {
  readonly place: PlaceMark;
  position(): Promise<CopyPosition>;
  /**
   * Adds rows and moves on, both or neither. Fails with conflict when another copy has moved on meanwhile.
   */
  put(
    table: CopiedTable,
    rows: readonly CopiedRow[],
    step: { readonly from: CopyPosition; readonly to: CopyPosition },
  ): Promise<void>;
  /** Makes what follows from the rows: references, searches, the next numbers. */
  complete(lastNumbers: LastNumbers, progress: (step: string, done: number) => void): Promise<void>;
  /** What is wrong with references and schema; empty when nothing is. */
  faults(): Promise<readonly string[]>;
}
