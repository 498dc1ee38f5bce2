import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProofMethod } from "../../../domain/model/session.ts";
import { accounts, players } from "./member.ts";

/** One row per issued JWT. A JWT without its row is not valid. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** To the minute. */
    lastUsedAt: integer("last_used_at").notNull().default(0),
    address: text().notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
    kind: text({ enum: ["web", "game"] })
      .notNull()
      .default("web"),
    /** The player that it is bound to; null for the account as a whole. */
    playerId: integer("player_id").references(() => players.id, { onDelete: "cascade" }),
    /** How its owner proved who they are; empty for sessions from before this was recorded, where it is not certain. */
    methods: text({ mode: "json" }).$type<readonly ProofMethod[]>().notNull().default([]),
    /** When they did, in Unix seconds. */
    provedAt: integer("proved_at").notNull().default(0),
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
