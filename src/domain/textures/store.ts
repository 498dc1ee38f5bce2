import type { AccountId, CapeId, SkinId, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { Cape, GrantedCape, Skin, SkinModel, Texture } from "./texture.ts";

/** What a player shows: the selected skin and the cape linked to it. */
export type Appearance = {
  readonly uuid: Uuid;
  readonly name: string;
  readonly skin: { readonly uuid: Uuid; readonly model: SkinModel; readonly texture: Texture } | null;
  readonly cape: { readonly uuid: Uuid; readonly texture: Texture } | null;
};

/** One way to name a cape. */
export type CapeKey =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "id"; readonly value: CapeId };

/** What is read of skins, capes and their files. */
export interface TextureReads {
  /** What the player shows, by uuid or by `nameKey`; null when nobody is called so. Delivery's hot path. */
  findAppearance(
    key: { by: "uuid"; value: Uuid } | { by: "name"; value: string },
  ): Promise<Appearance | null>;
  findTexture(hash: TextureHash): Promise<Texture | null>;
  findSkin(uuid: Uuid): Promise<Skin | null>;
  findCape(key: CapeKey): Promise<Cape | null>;
  /** The account's wardrobe, oldest first. Bounded by the setting WARDROBE_MAX. */
  listSkins(account: AccountId): Promise<readonly Skin[]>;
  countSkins(account: AccountId): Promise<number>;
  /** The capes that the account was granted, by id. */
  listGrantedCapes(account: AccountId, now: number): Promise<readonly GrantedCape[]>;
}

/** A skin that has no number yet. */
export type NewSkin = Omit<Skin, "id" | "texture"> & { readonly textureHash: TextureHash };
/** A cape that has no number yet. */
export type NewCape = Omit<Cape, "id" | "texture"> & { readonly textureHash: TextureHash };
/** What of a skin can change. */
export type SkinChange = Partial<Pick<Skin, "name" | "model" | "capeId">>;

/** What is written of skins, capes and their files' rows. */
export interface TextureStore extends TextureReads {
  insertTexture(texture: Texture & { readonly createdAt: number }): Promise<void>;
  /** Removes the row unless a skin or cape refers to it. True when it was removed or never there. */
  deleteTextureIfUnused(hash: TextureHash): Promise<boolean>;
  insertSkin(skin: NewSkin): Promise<SkinId>;
  updateSkin(id: SkinId, change: SkinChange): Promise<void>;
  /** Removes the skin; where it was selected, nothing is. */
  deleteSkin(id: SkinId): Promise<void>;
  insertCape(cape: NewCape): Promise<CapeId>;
  grantCape(account: AccountId, cape: CapeId, grantedAt: number): Promise<void>;
}
