import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./account.ts";

/** One row per issued JWT; without its row a token is worth nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** To the minute. */
    lastUsedAt: integer("last_used_at").notNull().default(0),
    address: text().notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
  },
  (table) => [index("sessions_account").on(table.accountId), index("sessions_expiry").on(table.expiresAt)],
);
