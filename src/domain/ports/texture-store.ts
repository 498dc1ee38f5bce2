import type { AccountId, CapeId, SkinId, TextureFile, TextureHash, Uuid } from "../../kernel/ids.ts";
import type { ListPage } from "../model/list-page.ts";
import type { BanReads, BanStore } from "./ban-store.ts";
import type { Cape, GrantedCape, OwnedSkin, Skin, SkinModel, Texture } from "../model/texture.ts";

/** What a player shows: the selected skin, and the cape linked to it or one of the player's own. */
export type Appearance = {
  /** The uuid under which it is shown: its own one, unless `findPlayer` found it by another. */
  readonly uuid: Uuid;
  /** Its own uuid. */
  readonly playerUuid: Uuid;
  readonly name: string;
  readonly skin: { readonly uuid: Uuid; readonly model: SkinModel; readonly texture: Texture } | null;
  /** The wings are the cape's part for an elytra, as a texture of their own; null for a cape without them. */
  readonly cape: {
    readonly uuid: Uuid;
    readonly texture: Texture;
    readonly wings: Texture | null;
  } | null;
};

/** Names a cape. */
export type CapeKey =
  { readonly by: "uuid"; readonly value: Uuid } | { readonly by: "id"; readonly value: CapeId };

/** An account that may wear a cape. */
export type CapeGrant = {
  readonly accountId: AccountId;
  /** The name of its main player; empty while its registration is unfinished. */
  readonly name: string;
  /** Until when, in Unix seconds; null: for ever. */
  readonly expiresAt: number | null;
};

/** An account, and the place at which a list that is read in pages has it. */
export type ListedAccount = {
  readonly accountId: AccountId;
  /** Ascending; the value for `after`. */
  readonly place: number;
};

/** A part of a long list: `rows` at most, after the row at this place; null: from the first one. */
export type Part = { readonly after: number | null; readonly rows: number };

/** A grant that has ended. */
export type EndedGrant = {
  readonly accountId: AccountId;
  readonly cape: Pick<Cape, "id" | "uuid" | "name">;
  /** Unix seconds. */
  readonly expiresAt: number;
};

/** Reads of skins, capes and textures. */
export interface TextureReads extends TextureLists, BanReads {
  /**
   * What a player shows, found by `nameKey`, by uuid, its own or, for the main player, its account's, or by
   * the uuid that servers without authentication make from its name. Null when there is no such player. Every
   * uncached answer of delivery calls it.
   */
  findAppearance(
    key: { by: "uuid"; value: Uuid } | { by: "name"; value: string } | { by: "offlineUuid"; value: Uuid },
  ): Promise<Appearance | null>;
  findTexture(hash: TextureHash): Promise<Texture | null>;
  /** All of them by hash, `rows` of them after this one; null: from the first one. */
  listTextures(after: TextureHash | null, rows: number): Promise<readonly Texture[]>;
  /** The files of the rows that have one of these bitmaps. */
  listTextureFiles(hashes: readonly TextureHash[]): Promise<readonly TextureFile[]>;
  /** Files that were dropped by this time (Unix seconds) and are still kept, the longest dropped first. */
  listDroppedFiles(until: number, rows: number): Promise<readonly TextureFile[]>;
  /** How many skins and capes have the bitmap, a cape also as its wings. */
  countUses(hash: TextureHash): Promise<{ readonly skins: number; readonly capes: number }>;
  /** Whether a player wears a skin with this bitmap. */
  isWorn(hash: TextureHash): Promise<boolean>;
  /**
   * Textures that neither skin nor cape shows, nor a cape has as its wings, and whose hash begins with these
   * digits, `rows` of them at most.
   */
  listUnusedTextures(digits: string, rows: number): Promise<readonly TextureHash[]>;
  /**
   * Capes with an id above this one whose files were not searched for wings yet, by id, `rows` of them at
   * most.
   */
  listUnsearchedCapes(after: CapeId | null, rows: number): Promise<readonly Cape[]>;
  findSkin(uuid: Uuid): Promise<Skin | null>;
  findCape(key: CapeKey): Promise<Cape | null>;
  /** The capes among these that exist, each once, by id. */
  findCapes(keys: readonly CapeKey[]): Promise<readonly Cape[]>;
  /** The account's wardrobe, oldest first. Bounded by the setting WARDROBE_MAX. */
  listSkins(account: AccountId): Promise<readonly Skin[]>;
  countSkins(account: AccountId): Promise<number>;
  /** The capes that the account was granted, by id, without grants that ended by this time (Unix seconds). */
  listGrantedCapes(account: AccountId, now: number): Promise<readonly GrantedCape[]>;
  /** Grants that ended by this time (Unix seconds) and are still kept, the longest ended first. */
  listEndedGrants(now: number, rows: number): Promise<readonly EndedGrant[]>;
}

/** Staff's reads of all skins and capes. */
export interface TextureLists {
  findOwnedSkin(uuid: Uuid): Promise<OwnedSkin | null>;
  /** The account's wardrobe, oldest first. Bounded by the setting WARDROBE_MAX. */
  listSkinsOf(account: AccountId): Promise<readonly OwnedSkin[]>;
  /**
   * Skins by id, the lowest first unless the page says otherwise. A search finds names that contain it,
   * ignoring case, when it is long enough (`isSearchable`); and the skin with this id or uuid.
   */
  listAllSkins(page: ListPage): Promise<readonly OwnedSkin[]>;
  /**
   * How many skins `listAllSkins` finds in all; a search is counted up to `most`, by default
   * `limits.countedMax`.
   */
  countAllSkins(search: string | null, most?: number): Promise<number>;
  /**
   * Skins of other accounts with the skin's bitmap, the newest first, `rows` of them at most, and how many
   * there are. Of a bitmap that very many have, `limits.sameTextureMax` are looked at.
   */
  listOthersShowing(
    skin: Pick<Skin, "accountId" | "texture">,
    rows: number,
  ): Promise<{ readonly rows: readonly OwnedSkin[]; readonly total: number }>;
  /** Capes, ordered and searched like skins. */
  listAllCapes(page: ListPage): Promise<readonly Cape[]>;
  /**
   * How many capes `listAllCapes` finds in all; a search is counted up to `most`, by default
   * `limits.countedMax`.
   */
  countAllCapes(search: string | null, most?: number): Promise<number>;
  /** The grants of a cape, the oldest first, `rows` at most. */
  listGrants(cape: CapeId, rows: number): Promise<readonly CapeGrant[]>;
  countOwners(cape: CapeId): Promise<number>;
  /**
   * The grants of a cape by their age, the oldest first. `sharing`: only those of accounts that hold this
   * cape, too; null: all.
   */
  listOwners(
    cape: CapeId,
    sharing: CapeId | null,
    part: Part,
  ): Promise<readonly (CapeGrant & ListedAccount)[]>;
  /** The grants of a cape to these accounts. */
  listOwnersAmong(
    cape: CapeId,
    accounts: readonly AccountId[],
  ): Promise<readonly Pick<CapeGrant, "accountId" | "expiresAt">[]>;
  /**
   * The accounts without a grant of the cape. `of`: only those that hold this cape now (Unix seconds), by the
   * age of its grants; null: all accounts, by id.
   */
  listNonOwners(
    cape: CapeId,
    of: { readonly cape: CapeId; readonly now: number } | null,
    part: Part,
  ): Promise<readonly ListedAccount[]>;
}

/** The fields of a skin that an upload sets. Further ones begin with the default of their column. */
export type NewSkin = Pick<Skin, "uuid" | "accountId" | "name" | "model" | "capeId" | "createdAt"> & {
  readonly textureHash: TextureHash;
};
/** A cape that has no number yet. Its file was searched for wings. */
export type NewCape = Omit<Cape, "id" | "texture"> & { readonly textureHash: TextureHash };
/** Each of the accounts is granted each of the capes. Times are in Unix seconds; a null end: never. */
export type CapeGrants = {
  readonly accounts: readonly AccountId[];
  readonly capes: readonly CapeId[];
  readonly grantedAt: number;
  readonly expiresAt: number | null;
};
/** The parts of a skin that can change. */
export type SkinChange = Partial<Omit<Skin, "id" | "uuid" | "accountId" | "texture" | "createdAt">>;

/** Writes of skins, capes and the rows of textures. */
export interface TextureStore extends TextureReads, BanStore {
  insertTexture(texture: Texture & { readonly createdAt: number }): Promise<void>;
  /** Makes the row name another file, which holds the same bytes. */
  setTextureFile(hash: TextureHash, file: TextureFile): Promise<void>;
  /**
   * Removes the row unless a skin or cape refers to it, and returns its file. Null: it is in use, or there
   * was no row.
   */
  deleteTextureIfUnused(hash: TextureHash): Promise<TextureFile | null>;
  /**
   * Keeps the names of files that no row names any more, and since when (Unix seconds), until they are
   * deleted.
   */
  insertDroppedFiles(files: readonly TextureFile[], at: number): Promise<void>;
  deleteDroppedFiles(files: readonly TextureFile[]): Promise<void>;
  insertSkin(skin: NewSkin): Promise<SkinId>;
  updateSkin(id: SkinId, change: SkinChange): Promise<void>;
  /** Removes the skin. A player that wore it wears none. */
  deleteSkin(id: SkinId): Promise<void>;
  /**
   * Removes skins that have the bitmap, `rows` at most, and returns how many. Players that wore one wear
   * none.
   */
  deleteSkinsShowing(hash: TextureHash, rows: number): Promise<number>;
  insertCape(cape: NewCape): Promise<CapeId>;
  /** Keeps what the search of a cape's file for wings found. False when there is no such cape any more. */
  setWings(id: CapeId, wings: TextureHash | null): Promise<boolean>;
  /** Removes the cape and its grants, and takes it off skins and players. */
  deleteCape(id: CapeId): Promise<void>;
  /** Grants each of the capes to each of the accounts. An existing grant gets the new end. */
  grantCapes(grants: CapeGrants): Promise<void>;
  /** Removes the grants of each of the capes to each of the accounts. */
  deleteGrants(accounts: readonly AccountId[], capes: readonly CapeId[]): Promise<void>;
  /**
   * Takes the capes off the accounts' skins and players. A player that wore such a cape of its own then shows
   * its skin's cape.
   */
  unlinkCapes(accounts: readonly AccountId[], capes: readonly CapeId[]): Promise<void>;
}
