import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./account.ts";

/** One row per stored file. The hash names the bitmap and the file; the digest is the SHA-256 of the file's bytes. */
export const textures = sqliteTable("textures", {
  hash: text().primaryKey(),
  digest: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Wardrobes. */
export const skins = sqliteTable(
  "skins",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uuid: text().notNull().unique(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    textureHash: text("texture_hash")
      .notNull()
      .references(() => textures.hash),
    name: text().notNull(),
    model: text({ enum: ["classic", "slim"] }).notNull(),
    capeId: integer("cape_id").references(() => capes.id, { onDelete: "set null" }),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    check("skins_model", sql`${table.model} IN ('classic', 'slim')`),
    index("skins_account").on(table.accountId),
    index("skins_texture").on(table.textureHash),
    index("skins_cape").on(table.capeId),
  ],
);

/** What administrators made. `uploadedBy` is the audit's word for them, since they may be gone. */
export const capes = sqliteTable(
  "capes",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uuid: text().notNull().unique(),
    textureHash: text("texture_hash")
      .notNull()
      .references(() => textures.hash),
    name: text().notNull(),
    uploadedBy: text("uploaded_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("capes_texture").on(table.textureHash)],
);

/** Who may wear which cape. */
export const capeGrants = sqliteTable(
  "cape_grants",
  {
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    capeId: integer("cape_id")
      .notNull()
      .references(() => capes.id, { onDelete: "cascade" }),
    grantedAt: integer("granted_at").notNull(),
    /** Null: for good. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.capeId] }),
    index("cape_grants_cape").on(table.capeId),
    // Which grants have ended?
    index("cape_grants_expiry")
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} IS NOT NULL`),
  ],
);

/** Bitmaps that no texture may have. The bitmap itself may be gone, hence no reference. */
export const textureBans = sqliteTable("texture_bans", {
  id: integer().primaryKey({ autoIncrement: true }),
  hash: text().notNull().unique(),
  /** The audit's word for who banned it. */
  issuer: text().notNull(),
  /** Unix seconds. */
  createdAt: integer("created_at").notNull(),
  /** Empty when no reason was given. */
  reason: text().notNull().default(""),
});
