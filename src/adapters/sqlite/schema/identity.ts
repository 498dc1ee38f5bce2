import { index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { accounts } from "./member.ts";

/** People who signed in at a social provider and wait to be linked. The number that allows it is kept as a keyed hash. */
export const pendingPeople = sqliteTable(
  "pending_people",
  {
    hash: text().primaryKey(),
    provider: text().notNull(),
    /** Who vouches for the subject: the OIDC issuer, else the provider's base address. */
    issuer: text().notNull().default(""),
    subject: text().notNull(),
    username: text().notNull(),
    avatar: text().notNull(),
    verifiedMail: text("verified_mail"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    unique("pending_people_person").on(table.provider, table.issuer, table.subject),
    index("pending_people_expiry").on(table.expiresAt),
  ],
);

/** Who an account is at a social provider. One account has one identity at most, and one identity one account. */
export const identities = sqliteTable(
  "identities",
  {
    accountId: integer("account_id")
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** Who vouches for the subject: the OIDC issuer, else the provider's base address. Empty only until the first start that knows it. */
    issuer: text().notNull().default(""),
    /** The id at the provider. Text: such ids exceed 2^53. */
    subject: text().notNull(),
    username: text().notNull(),
    avatar: text().notNull(),
    linkedAt: integer("linked_at").notNull(),
  },
  (table) => [
    unique("identities_person").on(table.provider, table.issuer, table.subject),
    index("identities_subject").on(table.subject),
  ],
);
