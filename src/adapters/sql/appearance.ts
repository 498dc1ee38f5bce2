import { sql, type SQL } from "drizzle-orm";
import type { TextureReads } from "../../domain/ports/texture-store.ts";
import { namedByUuid } from "./named-by-uuid.ts";
import type { Sender } from "./sender.ts";
import { shownCape } from "./shown.ts";
import { first, listed, mayBeKept, statement } from "./statement.ts";
import { appearanceColumns, toAppearance, type AppearanceRow } from "./texture-rows.ts";

const value = sql.placeholder("value");

/** Delivery's only query: one statement for everything that a player shows. */
const lookup = (where: SQL) =>
  statement(
    sql`
      SELECT ${listed(appearanceColumns)} FROM players
      LEFT JOIN skins ON skins.id = players.selected_skin_id
      LEFT JOIN textures AS skin_textures ON skin_textures.hash = skins.texture_hash
      LEFT JOIN capes ON capes.id = ${sql.raw(shownCape)}
      LEFT JOIN textures AS cape_textures ON cape_textures.hash = capes.texture_hash
      LEFT JOIN textures AS wings_textures ON wings_textures.hash = capes.wings_hash
      WHERE ${where}`,
    appearanceColumns,
  );
const find = {
  uuid: lookup(sql`players.id = ${namedByUuid.player(sql`${value}`)}`),
  name: lookup(sql`players.name_key = ${value}`),
  offlineUuid: lookup(sql`players.offline_uuid = ${value}`),
};

export function appearanceFinder(db: Sender): TextureReads["findAppearance"] {
  return async ({ by, value }) => {
    if (!mayBeKept(String(value))) return null;
    const row = first<AppearanceRow>(await find[by](db, { value }));
    return row === null ? null : toAppearance(row);
  };
}
