import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accounts } from "./member.ts";

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
    /** The password that a registration gave with this code; null for every other purpose. */
    passwordHash: text("password_hash"),
  },
  (table) => [
    // A registration keeps every code that was mailed until it expires; of other purposes only the newest counts.
    uniqueIndex("codes_purpose")
      .on(table.accountId, table.purpose)
      .where(sql`${table.purpose} <> 'confirm'`),
    index("codes_account").on(table.accountId),
    index("codes_expiry").on(table.expiresAt),
  ],
);
