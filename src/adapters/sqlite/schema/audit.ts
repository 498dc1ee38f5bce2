import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every change made by an administrator, a service or the command line. Rows are only ever added. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    issuer: text().notNull(),
    /** The acting account's id; null when a service, the command line or the program itself acts. */
    actorAccountId: integer("actor_account_id"),
    /** Through what the actor acted: `session:<id>` or `token:<id>`; null for the command line and the program itself. */
    actorVia: text("actor_via"),
    /** Which fields `hash` covers: 1 leaves out the two `actor…` columns. */
    version: integer().notNull().default(1),
    action: text().notNull(),
    /** An account's id, or 0; the account may be gone, hence no reference. */
    forAccountId: integer("for_account_id").notNull(),
    at: integer().notNull(),
    /** JSON. The chain is over this very text, so it is kept as a text. */
    detail: text().notNull(),
    /** The `hash` of the entry before; empty for the first. */
    previousHash: text("previous_hash").notNull().default(""),
    hash: text().notNull().default(""),
  },
  (table) => [
    // What concerns an account, newest first.
    index("audit_entries_account").on(table.forAccountId, table.id),
  ],
);
