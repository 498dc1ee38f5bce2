import type { Cape, OwnedSkin, Skin, Texture } from "../../domain/model/texture.ts";
import type { AccountId, CapeId, SkinId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { capes, skins, textures } from "./schema/member.ts";

export type TextureRow = typeof textures.$inferSelect;
export type SkinRow = { skins: typeof skins.$inferSelect; textures: TextureRow };
export type CapeRow = { capes: typeof capes.$inferSelect; textures: TextureRow };
/** What another table's row adds is null where there is none. */
export type OwnedSkinRow = SkinRow & {
  ownerName: string | null;
  selectedSkinId: number | null;
  capeUuid: string | null;
};

// Rows hold only what these stores wrote, so their ids are what the types say.
export function toTexture({ hash, digest, width, height }: TextureRow): Texture {
  return { hash: hash as TextureHash, digest, width, height };
}

export function toSkin({ skins: row, textures: texture }: SkinRow): Skin {
  return {
    id: row.id as SkinId,
    uuid: row.uuid as Uuid,
    accountId: row.accountId as AccountId,
    name: row.name,
    model: row.model,
    capeId: row.capeId as CapeId | null,
    texture: toTexture(texture),
    createdAt: row.createdAt,
  };
}

export function toOwnedSkin({ ownerName, selectedSkinId, capeUuid, ...row }: OwnedSkinRow): OwnedSkin {
  return {
    ...toSkin(row),
    ownerName: ownerName ?? "",
    capeUuid: capeUuid as Uuid | null,
    isSelected: selectedSkinId === row.skins.id,
  };
}

export function toCape({ capes: row, textures: texture }: CapeRow): Cape {
  return {
    id: row.id as CapeId,
    uuid: row.uuid as Uuid,
    name: row.name,
    texture: toTexture(texture),
    uploadedBy: row.uploadedBy,
    createdAt: row.createdAt,
  };
}
