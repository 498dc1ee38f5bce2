import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./account.ts";
import { skins } from "./texture.ts";

/** What the game sees. One per account today; kept apart because accounts will own several. */
export const players = sqliteTable(
  "players",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    uuid: text().notNull().unique(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    nameKey: text("name_key").notNull().unique(),
    /** Whether it was made from a social provider's name, and nobody has chosen it yet. */
    nameDerived: integer("name_derived", { mode: "boolean" }).notNull().default(false),
    selectedSkinId: integer("selected_skin_id").references(() => skins.id, { onDelete: "set null" }),
    createdAt: integer("created_at").notNull(),
    /** When its owner last renamed it, in Unix seconds; 0 for never. */
    renamedAt: integer("renamed_at").notNull().default(0),
  },
  (table) => [
    index("players_account").on(table.accountId),
    index("players_selected_skin").on(table.selectedSkinId),
  ],
);

/** Freed names, which only their former owner may take before `heldUntil`. The owner may be gone, hence no reference. */
export const heldNames = sqliteTable(
  "held_names",
  {
    nameKey: text("name_key").primaryKey(),
    accountId: integer("account_id").notNull(),
    heldUntil: integer("held_until").notNull(),
  },
  (table) => [index("held_names_account").on(table.accountId, table.heldUntil)],
);
