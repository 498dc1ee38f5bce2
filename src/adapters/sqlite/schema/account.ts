import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sign-in data. AUTOINCREMENT keeps the ids of deleted accounts from coming back. */
export const accounts = sqliteTable(
  "accounts",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uuid: text().notNull().unique(),
    mail: text(),
    mailKey: text("mail_key").unique(),
    mailVerified: integer("mail_verified", { mode: "boolean" }).notNull(),
    passwordHash: text("password_hash"),
    /** What holds for good; a role above or below it holds until `roleExpiresAt`. */
    level: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    language: text({ enum: ["en", "ru"] })
      .notNull()
      .default("en"),
    /** Both or neither. */
    roleLevel: integer("role_level"),
    roleExpiresAt: integer("role_expires_at"),
    /** Whether it wants the mails that go to everybody. */
    wantsBulkMail: integer("wants_bulk_mail", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    check("accounts_level", sql`${table.level} BETWEEN 1 AND 3`),
    // Only the few accounts above level 1: what "is there another administrator?" asks.
    index("accounts_staff")
      .on(table.level)
      .where(sql`${table.level} > 1`),
    // Which roles have ended?
    index("accounts_roles")
      .on(table.roleExpiresAt)
      .where(sql`${table.roleExpiresAt} IS NOT NULL`),
    // Only the accounts that never proved their address: which are old enough to remove?
    index("accounts_unconfirmed")
      .on(table.createdAt)
      .where(sql`${table.mailVerified} = 0`),
  ],
);
