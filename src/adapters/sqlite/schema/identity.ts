import { index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { AccountId } from "../../../kernel/ids.ts";
import { accounts } from "./member.ts";

/** People who signed in at a social provider and are not linked to an account yet. `hash` is a keyed hash of the `conn_id` that allows it. */
export const pendingPeople = sqliteTable(
  "pending_people",
  {
    hash: text().primaryKey(),
    provider: text().notNull(),
    /** The OIDC issuer, else the provider's base address. */
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

/** The person at a social provider that an account is linked to. One identity per account, one account per identity. */
export const identities = sqliteTable(
  "identities",
  {
    accountId: integer("account_id")
      .$type<AccountId>()
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** The OIDC issuer, else the provider's base address. Empty until the first start that knows it. */
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
