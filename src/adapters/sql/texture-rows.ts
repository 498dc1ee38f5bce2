/** What statements read of textures, skins and capes, and the value that a row becomes. */
import { alias } from "drizzle-orm/pg-core";
import type { Player } from "../../domain/model/account.ts";
import type { Cape, GrantedCape, OwnedSkin, Skin, SkinModel, Texture } from "../../domain/model/texture.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { pick, type Absent, type PlayerRow } from "./rows.ts";
import { capeGrants, capes, players, skins, textures } from "./schema/member.ts";

export const textureColumns = pick(textures, "hash", "file", "digest", "width", "height");

export function toTexture({ hash, file, digest, width, height }: Texture): Texture {
  return { hash, file, digest, width, height };
}

export const skinColumns = {
  ...pick(skins, "id", "uuid", "accountId", "name", "model", "capeId", "createdAt"),
  ...textureColumns,
};

/** A skin and its texture. */
export type SkinRow = Omit<Skin, "texture"> & Texture;

export function toSkin(row: SkinRow): Skin {
  const { id, uuid, accountId, name, model, capeId, createdAt } = row;
  return { id, uuid, accountId, name, model, capeId, texture: toTexture(row), createdAt };
}

export const ownedSkinColumns = {
  ...skinColumns,
  ownerName: players.name,
  selectedSkinId: players.selectedSkinId,
  capeUuid: capes.uuid,
};

/** A skin with its owner's main player and its cape. */
export type OwnedSkinRow = SkinRow &
  Absent<Pick<OwnedSkin, "ownerName" | "capeUuid"> & Pick<Player, "selectedSkinId">>;

export function toOwnedSkin(row: OwnedSkinRow): OwnedSkin {
  const { ownerName, selectedSkinId, capeUuid } = row;
  return { ...toSkin(row), ownerName: ownerName ?? "", capeUuid, isSelected: selectedSkinId === row.id };
}

export const capeColumns = {
  ...pick(capes, "id", "uuid", "name", "uploadedBy", "wingsHash", "createdAt"),
  ...textureColumns,
};

/** A cape and its texture. */
export type CapeRow = Omit<Cape, "texture"> & Texture;

export function toCape(row: CapeRow): Cape {
  const { id, uuid, name, wingsHash, uploadedBy, createdAt } = row;
  return { id, uuid, name, texture: toTexture(row), wingsHash, uploadedBy, createdAt };
}

export const grantedCapeColumns = { ...capeColumns, grantExpiresAt: capeGrants.expiresAt };

/** A cape, and when its grant to an account ends. */
export type GrantedCapeRow = CapeRow & Pick<GrantedCape, "grantExpiresAt">;

export function toGrantedCape(row: GrantedCapeRow): GrantedCape {
  return { ...toCape(row), grantExpiresAt: row.grantExpiresAt };
}

const skinTextures = alias(textures, "skin_textures");
const capeTextures = alias(textures, "cape_textures");
const wingsTextures = alias(textures, "wings_textures");

/** What a player shows. Textures are joined three times. */
export const appearanceColumns = {
  ...pick(players, "uuid", "name"),
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

type TextureCells<Kind extends string> = {
  readonly [Name in keyof Texture as `${Kind}${Capitalize<Name>}`]: Texture[Name];
};

/** Where a join found no row, all cells of that table are null. */
export type AppearanceRow = Pick<PlayerRow, "name"> & {
  readonly uuid: Uuid;
} & (
    | { readonly skinUuid: null }
    | ({ readonly skinUuid: Uuid; readonly model: SkinModel } & TextureCells<"skin">)
  ) &
  (
    | { readonly capeUuid: null }
    | ({ readonly capeUuid: Uuid } & TextureCells<"cape"> &
        ({ readonly wingsHash: null } | TextureCells<"wings">))
  );

export function toAppearance(row: AppearanceRow): Appearance {
  const skin =
    row.skinUuid === null ? null : { uuid: row.skinUuid, model: row.model, texture: toSkinTexture(row) };
  const cape =
    row.capeUuid === null
      ? null
      : {
          uuid: row.capeUuid,
          texture: toCapeTexture(row),
          wings: toWingsTexture(row),
        };
  const { uuid, name } = row;
  return { uuid, playerUuid: uuid, name, skin, cape };
}

function toSkinTexture(row: TextureCells<"skin">): Texture {
  const { skinHash: hash, skinFile: file, skinDigest: digest, skinWidth: width, skinHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toCapeTexture(row: TextureCells<"cape">): Texture {
  const { capeHash: hash, capeFile: file, capeDigest: digest, capeWidth: width, capeHeight: height } = row;
  return { hash, file, digest, width, height };
}

function toWingsTexture(row: { readonly wingsHash: null } | TextureCells<"wings">): Texture | null {
  if (row.wingsHash === null) return null;
  const { wingsHash: hash, wingsFile: file, wingsDigest: digest, wingsWidth: width } = row;
  return { hash, file, digest, width, height: row.wingsHeight };
}
