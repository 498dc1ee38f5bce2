import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every change made by an administrator, a service or the command line. Rows are only ever added. */
export const auditEntries = sqliteTable("audit_entries", {
  id: integer().primaryKey({ autoIncrement: true }),
  issuer: text().notNull(),
  action: text().notNull(),
  /** An account's id, or 0; the account may be gone, hence no reference. */
  forAccountId: integer("for_account_id").notNull(),
  at: integer().notNull(),
  detail: text({ mode: "json" }).notNull().$type<Readonly<Record<string, unknown>>>(),
});
