import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Texture } from "../../domain/model/texture.ts";
import type { Appearance, TextureReads } from "../../domain/ports/texture-store.ts";
import { capes, players, skins, textures } from "./schema/member.ts";
import { shownCape } from "./shown.ts";
import { first, listed, mayBeKept, statement, type RowOf } from "./statement.ts";
import type { Sender } from "./sender.ts";

const skinTextures = alias(textures, "skin_textures");
const capeTextures = alias(textures, "cape_textures");
const wingsTextures = alias(textures, "wings_textures");

const appearanceColumns = {
  uuid: players.uuid,
  name: players.name,
  skinUuid: skins.uuid,
  model: skins.model,
  skinHash: skinTextures.hash,
  skinFile: skinTextures.file,
  skinDigest: skinTextures.digest,
  skinWidth: skinTextures.width,
  skinHeight: skinTextures.height,
  capeUuid: capes.uuid,
  capeHash: capeTextures.hash,
  capeFile: capeTextures.file,
  capeDigest: capeTextures.digest,
  capeWidth: capeTextures.width,
  capeHeight: capeTextures.height,
  wingsHash: wingsTextures.hash,
  wingsFile: wingsTextures.file,
  wingsDigest: wingsTextures.digest,
  wingsWidth: wingsTextures.width,
  wingsHeight: wingsTextures.height,
};

type Columns = RowOf<typeof appearanceColumns>;

/** A row of them; where a join found no row, all cells of that table are null. */
type AppearanceRow = Omit<Columns, "skinUuid" | "capeUuid" | "wingsHash"> & {
  readonly [Name in "skinUuid" | "capeUuid" | "wingsHash"]: Columns[Name] | null;
};

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
  // As in `namedByUuid`.
  uuid: lookup(sql`players.id = coalesce((SELECT id FROM players WHERE uuid = ${value}),
    (SELECT main_player_id FROM accounts WHERE uuid = ${value}))`),
  name: lookup(sql`players.name_key = ${value}`),
};

export function appearanceFinder(db: Sender): TextureReads["findAppearance"] {
  return async ({ by, value }) => {
    if (!mayBeKept(String(value))) return null;
    const row = first<AppearanceRow>(await find[by](db, { value }));
    return row === null ? null : toAppearance(row);
  };
}

function toAppearance(row: AppearanceRow): Appearance {
  const { uuid, name, skinUuid, model, capeUuid } = row;
  return {
    uuid,
    name,
    skin: skinUuid === null ? null : { uuid: skinUuid, model, texture: toSkinTexture(row) },
    cape:
      capeUuid === null ? null : { uuid: capeUuid, texture: toCapeTexture(row), wings: toWingsTexture(row) },
  };
}

function toSkinTexture(row: AppearanceRow): Texture {
  const { skinHash: hash, skinFile: file, skinDigest: digest, skinWidth: width, skinHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toCapeTexture(row: AppearanceRow): Texture {
  const { capeHash: hash, capeFile: file, capeDigest: digest, capeWidth: width, capeHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toWingsTexture(row: AppearanceRow): Texture | null {
  const { wingsHash: hash, wingsFile: file, wingsDigest: digest, wingsWidth: width } = row;
  return hash === null ? null : { hash, file, digest, width, height: row.wingsHeight };
}
