import { sql } from "drizzle-orm";
import { check, index, primaryKey, pgTable, type AnyPgColumn } from "drizzle-orm/pg-core";
import type { Level } from "../../../domain/model/account.ts";
import type { Language } from "../../../domain/model/mail.ts";
import type {
  AccountId,
  CapeId,
  PlayerId,
  SkinId,
  TextureFile,
  TextureHash,
  Uuid,
} from "../../../kernel/ids.ts";
import { flag, number, text } from "./columns.ts";

// Rows hold only what the stores wrote, so ids, hashes and levels have the types that are given here.

/** Sign-in data. Identities never give the id of a deleted account again. */
export const accounts = pgTable(
  "accounts",
  {
    id: number().$type<AccountId>().primaryKey().generatedByDefaultAsIdentity(),
    uuid: text().$type<Uuid>().notNull().unique(),
    mail: text(),
    mailKey: text("mail_key").unique(),
    mailVerified: flag("mail_verified").notNull(),
    passwordHash: text("password_hash"),
    /** How far its registration is; see `Registration`. */
    registration: text().$type<"unconfirmed" | "unnamed" | "complete">().notNull().default("unconfirmed"),
    /** The player that stands for the account; one of its own. */
    mainPlayerId: number("main_player_id")
      .$type<PlayerId>()
      .unique()
      .references((): AnyPgColumn => players.id, { onDelete: "set null" }),
    /** The permanent level. A temporary level above or below it is in force until `roleExpiresAt`. */
    permanentLevel: number("level").$type<Level>().notNull(),
    createdAt: number("created_at").notNull(),
    language: text().$type<Language>().notNull().default("en"),
    /** Both or neither. */
    roleLevel: number("role_level").$type<Level>(),
    roleExpiresAt: number("role_expires_at"),
    /** Whether it gets the mails that go to everybody. */
    wantsBulkMail: flag("wants_bulk_mail").notNull().default(true),
    /** How many players it may have; null: as many as the setting PLAYERS_MAX says. */
    playersMax: number("players_max"),
    /**
     * When it was last used, as far as it is written: uses of open sessions that came soon after are left
     * out.
     */
    lastSeenAt: number("last_seen_at"),
    /** When its owner's deletion of it takes effect, in Unix seconds; null: it was not asked for. */
    deleteAt: number("delete_at"),
  },
  (table) => [
    check("accounts_level", sql`${table.permanentLevel} BETWEEN 1 AND 3`),
    check("accounts_registration", sql`${table.registration} IN ('unconfirmed', 'unnamed', 'complete')`),
    // Only the few accounts above level 1, for the question "is there another administrator?".
    index("accounts_staff")
      .on(table.permanentLevel)
      .where(sql`${table.permanentLevel} > 1`),
    // For the question "which temporary levels have ended?".
    index("accounts_roles")
      .on(table.roleExpiresAt)
      .where(sql`${table.roleExpiresAt} IS NOT NULL`),
    // Only the unconfirmed accounts, for the question "which are old enough to remove?".
    index("accounts_unconfirmed")
      .on(table.createdAt)
      .where(sql`${table.registration} = 'unconfirmed'`),
    // For the list by last use.
    index("accounts_last_seen").on(table.lastSeenAt, table.id),
    // For the question "which deletions are due?".
    index("accounts_ending")
      .on(table.deleteAt)
      .where(sql`${table.deleteAt} IS NOT NULL`),
    // Only the accounts whose passwords were hashed by another system or another cost, to count and wrap
    // them.
    index("accounts_other_hashes")
      .on(table.id)
      .where(sql`substr(${table.passwordHash}, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'`),
    // For the question "how many people can do nothing yet?".
    index("accounts_to_claim")
      .on(table.id)
      .where(sql`${table.passwordHash} IS NULL AND ${table.mail} IS NULL`),
  ],
);

/** What the game sees. An account may have several; `mainPlayerId` says which one stands for it. */
export const players = pgTable(
  "players",
  {
    id: number().$type<PlayerId>().primaryKey().generatedByDefaultAsIdentity(),
    uuid: text().$type<Uuid>().notNull().unique(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    nameKey: text("name_key").notNull().unique(),
    /** Whether the name was made from a social provider's and its owner has not chosen one yet. */
    nameDerived: flag("name_derived").notNull().default(false),
    selectedSkinId: number("selected_skin_id")
      .$type<SkinId>()
      .references(() => skins.id, { onDelete: "set null" }),
    /** A granted cape that it shows in place of the one linked to its skin; null: that one, or none. */
    ownCapeId: number("own_cape_id")
      .$type<CapeId>()
      .references((): AnyPgColumn => capes.id, { onDelete: "set null" }),
    /** Whether it shows no cape, whatever its skin says. Never together with `ownCapeId`. */
    hidesCape: flag("hides_cape").notNull().default(false),
    createdAt: number("created_at").notNull(),
    /** When its owner last renamed it, in Unix seconds; 0 for never. */
    renamedAt: number("renamed_at").notNull().default(0),
    /**
     * The uuid that servers without authentication make from its name; null where a release before wrote the
     * row.
     */
    offlineUuid: text("offline_uuid").$type<Uuid>(),
    /** Whether its owner lets others wear the skin that it shows. */
    sharesSkin: flag("shares_skin").notNull().default(false),
  },
  (table) => [
    index("players_account").on(table.accountId),
    index("players_offline_uuid").on(table.offlineUuid),
    index("players_selected_skin").on(table.selectedSkinId),
    index("players_own_cape")
      .on(table.ownCapeId)
      .where(sql`${table.ownCapeId} IS NOT NULL`),
  ],
);

/**
 * Freed names. Only the former owner may take one before `heldUntil`. No reference: the owner may be deleted.
 */
export const heldNames = pgTable(
  "held_names",
  {
    nameKey: text("name_key").primaryKey(),
    accountId: number("account_id").$type<AccountId>().notNull(),
    heldUntil: number("held_until").notNull(),
    /**
     * The player that had the name; null where a release before wrote the row. No reference: the player may
     * be deleted.
     */
    playerId: number("player_id").$type<PlayerId>(),
    /** Grows with each row, as SQLite's rowid does: what was written later, where times are equal. */
    seq: number().generatedByDefaultAsIdentity(),
  },
  (table) => [index("held_names_account").on(table.accountId, table.heldUntil)],
);

/**
 * UUIDs that players had and have no more. No other account's player gets one by rule. No reference: the
 * owner may be deleted.
 */
export const formerUuids = pgTable("former_uuids", {
  uuid: text().$type<Uuid>().primaryKey(),
  accountId: number("account_id").$type<AccountId>().notNull(),
});

/** One row per bitmap that is in use. The digest is the SHA-256 of the file's bytes. */
export const textures = pgTable("textures", {
  hash: text().$type<TextureHash>().primaryKey(),
  digest: text().notNull(),
  /** The name of the stored file, which is used once. */
  file: text()
    .$type<TextureFile>()
    .notNull()
    .default(sql`''`),
  width: number().notNull(),
  height: number().notNull(),
  createdAt: number("created_at").notNull(),
});

/** Files that no row names any more, to be deleted from a store that lets them linger. */
export const droppedFiles = pgTable(
  "dropped_files",
  {
    file: text().$type<TextureFile>().primaryKey(),
    /** Unix seconds. */
    at: number().notNull(),
  },
  (table) => [index("dropped_files_at").on(table.at)],
);

/** Wardrobes. */
export const skins = pgTable(
  "skins",
  {
    id: number().$type<SkinId>().primaryKey().generatedByDefaultAsIdentity(),
    uuid: text().$type<Uuid>().notNull().unique(),
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    textureHash: text("texture_hash")
      .$type<TextureHash>()
      .notNull()
      .references(() => textures.hash),
    name: text().notNull(),
    model: text().$type<"classic" | "slim">().notNull(),
    capeId: number("cape_id")
      .$type<CapeId>()
      .references(() => capes.id, { onDelete: "set null" }),
    createdAt: number("created_at").notNull(),
  },
  (table) => [
    check("skins_model", sql`${table.model} IN ('classic', 'slim')`),
    index("skins_account").on(table.accountId),
    index("skins_texture").on(table.textureHash),
    index("skins_cape").on(table.capeId),
  ],
);

/**
 * What administrators uploaded. `uploadedBy` is the audit's name for them; no reference: their accounts may
 * be deleted.
 */
export const capes = pgTable(
  "capes",
  {
    id: number().$type<CapeId>().primaryKey().generatedByDefaultAsIdentity(),
    uuid: text().$type<Uuid>().notNull().unique(),
    textureHash: text("texture_hash")
      .$type<TextureHash>()
      .notNull()
      .references(() => textures.hash),
    name: text().notNull(),
    uploadedBy: text("uploaded_by").notNull(),
    createdAt: number("created_at").notNull(),
    /** Its elytra wings, as a texture of their own; null: it has none, or they were not sought yet. */
    wingsHash: text("wings_hash")
      .$type<TextureHash>()
      .references(() => textures.hash),
    /** Whether its file was searched for wings. Capes from before this was done start with false. */
    wingsSought: flag("wings_sought").notNull().default(false),
  },
  (table) => [
    index("capes_texture").on(table.textureHash),
    index("capes_wings")
      .on(table.wingsHash)
      .where(sql`${table.wingsHash} IS NOT NULL`),
    // For the question "which capes were not searched yet?".
    index("capes_wings_unsought")
      .on(table.id)
      .where(sql`NOT ${table.wingsSought}`),
  ],
);

/** Which account may wear which cape. */
export const capeGrants = pgTable(
  "cape_grants",
  {
    accountId: number("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    capeId: number("cape_id")
      .$type<CapeId>()
      .notNull()
      .references(() => capes.id, { onDelete: "cascade" }),
    grantedAt: number("granted_at").notNull(),
    /** Null: never. */
    expiresAt: number("expires_at"),
    /** The order in which a cape was granted, as SQLite's rowid. */
    seq: number().generatedByDefaultAsIdentity(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.capeId] }),
    index("cape_grants_cape").on(table.capeId),
    // For the question "which grants have ended?".
    index("cape_grants_expiry")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} IS NOT NULL`),
  ],
);

/** Bitmaps that no texture may have. No reference: the bitmap itself may be deleted. */
export const textureBans = pgTable("texture_bans", {
  id: number().primaryKey().generatedByDefaultAsIdentity(),
  hash: text().$type<TextureHash>().notNull().unique(),
  /** The audit's name for the actor who banned it. */
  issuer: text().notNull(),
  /** Unix seconds. */
  createdAt: number("created_at").notNull(),
  /** Empty when no reason was given. */
  reason: text().notNull().default(""),
});
