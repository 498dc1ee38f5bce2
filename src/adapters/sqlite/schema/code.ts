import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AccountId } from "../../../kernel/ids.ts";
import { accounts } from "./member.ts";

/** One-time codes that were mailed and not used yet. Only a keyed hash of the code is stored. */
export const codes = sqliteTable(
  "codes",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["confirm", "reset", "mail"] }).notNull(),
    hash: text().notNull().unique(),
    /** The address that the code was sent to. Using the code proves it. */
    mail: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The password given with the registration that this code confirms; null for every other purpose. */
    passwordHash: text("password_hash"),
  },
  (table) => [
    // All codes of a registration stay valid until they expire. Of every other purpose only the newest is.
    uniqueIndex("codes_purpose")
      .on(table.accountId, table.purpose)
      .where(sql`${table.purpose} <> 'confirm'`),
    index("codes_account").on(table.accountId),
    index("codes_expiry").on(table.expiresAt),
  ],
);
