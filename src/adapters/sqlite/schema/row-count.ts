import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How many rows the long tables have, kept by triggers: counting a million takes SQLite longer than a page of them. */
export const rowCounts = sqliteTable("row_counts", {
  name: text().primaryKey(),
  rows: integer().notNull(),
});
