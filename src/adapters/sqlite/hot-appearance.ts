/**
 * What a player shows, once more for SQLite: of the answers that are not remembered this is the only statement, and its rows go straight
 * into what they become. The one of `adapters/sql/appearance.ts` takes 2 µs more.
 */
import { alias } from "drizzle-orm/sqlite-core";
import type { TextureReads } from "../../domain/ports/texture-store.ts";
import { appearanceNames, pick, toAppearance, type AppearanceRow } from "../sql/row-values.ts";
import { shownCape } from "../sql/shown.ts";
import type { Db } from "./open.ts";
import { textOf } from "./rows.ts";
import { capes, players, skins, textures } from "./schema.ts";

const appearanceColumns = {
  ...pick(players, appearanceNames.players),
  ...pick(skins, appearanceNames.skins),
  ...pick(alias(textures, "skin_textures"), appearanceNames.skinTextures),
  ...pick(capes, appearanceNames.capes),
  ...pick(alias(textures, "cape_textures"), appearanceNames.capeTextures),
  ...pick(alias(textures, "wings_textures"), appearanceNames.wingsTextures),
};

export function hotAppearance(db: Db): Pick<TextureReads, "findAppearance"> {
  const finder = (where: string) =>
    db.$client.query<AppearanceRow, [string]>(`
      SELECT ${textOf(appearanceColumns)} FROM players
      LEFT JOIN skins ON skins.id = selected_skin_id
      LEFT JOIN textures AS skin_textures ON skin_textures.hash = skins.texture_hash
      LEFT JOIN capes ON capes.id = ${shownCape}
      LEFT JOIN textures AS cape_textures ON cape_textures.hash = capes.texture_hash
      LEFT JOIN textures AS wings_textures ON wings_textures.hash = capes.wings_hash
      WHERE players.${where}`);
  const find = {
    // As in `named-by-uuid.ts`.
    uuid: finder(
      `id = coalesce((SELECT id FROM players WHERE uuid = ?1), (SELECT main_player_id FROM accounts WHERE uuid = ?1))`,
    ),
    name: finder("name_key = ?1"),
    offlineUuid: finder("offline_uuid = ?1"),
  };

  return {
    findAppearance: async ({ by, value }) => {
      const row = find[by].get(value);
      return row === null ? null : toAppearance(row);
    },
  };
}
