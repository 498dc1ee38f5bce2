import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique, uniqueIndex } from "drizzle-orm/pg-core";
import type { CodePurpose } from "../../../domain/model/code.ts";
import type { ServiceRight } from "../../../domain/model/service-token.ts";
import type { ProofMethod } from "../../../domain/model/session.ts";
import type { AccountId, PlayerId, SessionId } from "../../../kernel/ids.ts";
import { flag, jsonText, number, text } from "./columns.ts";
import { accounts, players } from "./member.ts";

/** One row per issued JWT or game token. Without its row neither is valid. */
export const sessions = pgTable(
  "sessions",
  {
    id: text().$type<SessionId>().primaryKey(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    /** To the minute. */
    lastUsedAt: number("last_used_at").notNull().default(0),
    address: text().notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
    kind: text().$type<"web" | "game">().notNull().default("web"),
    /** The player that it is bound to; null for the account as a whole. */
    playerId: number("player_id")
      .$type<PlayerId>()
      .references(() => players.id, { onDelete: "cascade" }),
    /**
     * How its owner proved who they are; empty for sessions from before this was recorded, where it is not
     * certain.
     */
    methods: jsonText()
      .$type<readonly ProofMethod[]>()
      .notNull()
      .default(sql`'[]'`),
    /** When they did, in Unix seconds. */
    provedAt: number("proved_at").notNull().default(0),
    /** Of a game session: the hex SHA-256 of its token. */
    tokenHash: text("token_hash").unique(),
    /** Of a game session: what its launcher calls itself; any text. */
    clientToken: text("client_token"),
    /** Of a game session: whether it can only be refreshed, because its player was renamed. */
    refreshOnly: flag("refresh_only").notNull().default(false),
    /** Of a session of the console: how many seconds it may go unused; null for others. */
    idleSeconds: number("idle_seconds"),
    /** Grows with each row, as SQLite's rowid does: what was written later, where times are equal. */
    seq: number().generatedByDefaultAsIdentity(),
  },
  (table) => [
    check("sessions_kind", sql`${table.kind} IN ('web', 'game')`),
    index("sessions_account").on(table.accountId),
    index("sessions_expiry").on(table.expiresAt),
    index("sessions_player")
      .on(table.playerId)
      .where(sql`${table.playerId} IS NOT NULL`),
  ],
);

/** One-time codes that were mailed and not used yet. Only a keyed hash of the code is stored. */
export const codes = pgTable(
  "codes",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text().$type<CodePurpose>().notNull(),
    hash: text().notNull().unique(),
    /** The address that the code was sent to, which using it proves; empty for a claim. */
    mail: text().notNull(),
    expiresAt: number("expires_at").notNull(),
    /**
     * Null. In a registration's code of an earlier release, which may still run beside this one: the password
     * that came with it.
     */
    passwordHash: text("password_hash"),
  },
  (table) => [
    // All codes of a registration stay valid until they expire. Of every other purpose only the newest is.
    uniqueIndex("codes_purpose")
      .on(table.accountId, table.purpose)
      .where(sql`${table.purpose} <> 'confirm'`),
    index("codes_account").on(table.accountId),
    // Each purpose has its own lifetime.
    index("codes_ending").on(table.purpose, table.expiresAt),
  ],
);

/**
 * Differing passwords that were given for one address, while it is not confirmed. The newest has the highest
 * id.
 */
export const registrationPasswords = pgTable(
  "registration_passwords",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    passwordHash: text("password_hash").notNull(),
  },
  (table) => [index("registration_passwords_account").on(table.accountId)],
);

/**
 * People who signed in at a social provider and are not linked to an account yet. `hash` is a keyed hash of
 * the `conn_id` that allows it.
 */
export const pendingPeople = pgTable(
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
    expiresAt: number("expires_at").notNull(),
  },
  (table) => [
    unique("pending_people_person").on(table.provider, table.issuer, table.subject),
    index("pending_people_expiry").on(table.expiresAt),
  ],
);

/**
 * The person at a social provider that an account is linked to. One identity per account, one account per
 * identity.
 */
export const identities = pgTable(
  "identities",
  {
    accountId: number("account_id")
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
    linkedAt: number("linked_at").notNull(),
  },
  (table) => [
    unique("identities_person").on(table.provider, table.issuer, table.subject),
    index("identities_subject").on(table.subject),
  ],
);

/** Tokens of other services. Only a hash of the token is stored. */
export const serviceTokens = pgTable("service_tokens", {
  id: number().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  hash: text().notNull().unique(),
  createdAt: number("created_at").notNull(),
  /** To the minute; null: not since this is recorded. */
  lastUsedAt: number("last_used_at"),
  /** What it may do. Tokens from before this was recorded may find accounts and set levels. */
  may: jsonText()
    .$type<readonly ServiceRight[]>()
    .notNull()
    .default(sql`'["find","permission"]'`),
});

/** Accounts that may not sign in, and since when. One row for each account and scope. */
export const suspensions = pgTable(
  "suspensions",
  {
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    scope: text().$type<"all">().notNull().default("all"),
    /** Unix seconds; null: without an end. */
    until: number(),
    /** Empty when no reason was given. */
    reason: text().notNull().default(""),
    /** The audit's name for the actor who suspended it. */
    issuer: text().notNull(),
    /** Unix seconds. */
    at: number().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.scope] }),
    // For the question "which suspensions have ended?".
    index("suspensions_until")
      .on(table.until)
      .where(sql`${table.until} IS NOT NULL`),
  ],
);

/** Names by which accounts sign in beside their players' names, as they did in another system. */
export const aliases = pgTable(
  "aliases",
  {
    nameKey: text("name_key").primaryKey(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    createdAt: number("created_at").notNull(),
  },
  (table) => [index("aliases_account").on(table.accountId)],
);
