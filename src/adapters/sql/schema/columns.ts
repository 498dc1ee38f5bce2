/** The kinds of columns that tables are made of. */
import { bigint, customType } from "drizzle-orm/pg-core";

/**
 * Text that compares and sorts by bytes, as in SQLite. The order of a locale differs between machines, and
 * changes with their system's library, which damages indexes.
 */
export const text = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' });

/**
 * A value as JSON in a text, as in SQLite: both engines hold the same text, and `move` copies it as it is.
 */
export const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
  toDriver: (value) => JSON.stringify(value),
  // Rows hold only what the line above wrote.
  fromDriver: (value): unknown => JSON.parse(value),
});

/** A whole number up to 2^53. `integer` ends at 2^31, which ids of a large table reach, and times in 2038. */
export const number = (name = "") => bigint(name, { mode: "number" });

/** True or false. SQLite has no booleans and returns 0 and 1 for them. */
export const flag = customType<{ data: boolean; driverData: boolean | 0 | 1 }>({
  dataType: () => "boolean",
  fromDriver: Boolean,
});
