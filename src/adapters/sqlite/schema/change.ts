import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What changed of what delivery answers with, in the order of commits. Other processes and nodes follow it by `id`. */
export const changes = sqliteTable(
  "change",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: ["player", "skin", "cape"] }).notNull(),
    subject: text().notNull(),
    /** Unix seconds. */
    at: integer().notNull(),
  },
  (table) => [check("change_kind", sql`${table.kind} IN ('player', 'skin', 'cape')`)],
);
