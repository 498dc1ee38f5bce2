import { index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { accounts } from "./account.ts";

/** One-time codes that were mailed and not yet used. The code itself is nowhere here: only its keyed hash. */
export const codes = sqliteTable(
  "codes",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["confirm", "reset", "mail"] }).notNull(),
    hash: text().notNull().unique(),
    /** The address that it was sent to, which using it proves. */
    mail: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    unique("codes_purpose").on(table.accountId, table.purpose),
    index("codes_expiry").on(table.expiresAt),
  ],
);
