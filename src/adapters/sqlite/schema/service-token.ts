import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tokens of other services. The token itself is nowhere here: only its hash. */
export const serviceTokens = sqliteTable("service_tokens", {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
  hash: text().notNull().unique(),
  createdAt: integer("created_at").notNull(),
});
