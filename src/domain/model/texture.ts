import { refusals } from "./refusals.ts";
import type { AccountId, CapeId, SkinId, TextureFile, TextureHash, Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";

/** A skin's arms: four texture pixels wide, or three. */
export type SkinModel = "classic" | "slim";

/** A PNG file that has been checked. Equal bitmaps are stored once. */
export type TextureFacts = {
  /** Names the bitmap and the address under `/textures/` (see `hashes.ts`). */
  readonly hash: TextureHash;
  /** Hex SHA-256 of the file's bytes. */
  readonly digest: string;
  readonly width: number;
  readonly height: number;
};

/** A stored PNG file. */
export type Texture = TextureFacts & {
  /** Names the file where files are stored, once and for all. */
  readonly file: TextureFile;
};

/** Where a texture's file is found, on the base of our own addresses. */
export function textureUrl(publicUrl: string, { hash }: Pick<TextureFacts, "hash">): string {
  return `${publicUrl}/textures/${hash}`;
}

/** A texture saved in an account's wardrobe. */
export type Skin = {
  readonly id: SkinId;
  readonly uuid: Uuid;
  readonly accountId: AccountId;
  readonly name: string;
  readonly model: SkinModel;
  readonly capeId: CapeId | null;
  readonly texture: Texture;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** A skin with whose it is, as those who run the community see it. */
export type OwnedSkin = Skin & {
  /** The name of the owner's player. */
  readonly ownerName: string;
  /** The linked cape's. */
  readonly capeUuid: Uuid | null;
  /** Whether the owner's player shows it. */
  readonly isSelected: boolean;
};

/** A texture that administrators grant to owners. */
export type Cape = {
  readonly id: CapeId;
  readonly uuid: Uuid;
  readonly name: string;
  readonly texture: Texture;
  /** The texture of its elytra wings alone; null: it has none, or its file was not searched for them yet. */
  readonly wingsHash: TextureHash | null;
  /** Who uploaded it, as the audit names them. */
  readonly uploadedBy: string;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** A cape as its owner has it. */
export type GrantedCape = Cape & {
  /** When the grant ends, in Unix seconds; null: never. */
  readonly grantExpiresAt: number | null;
};

/** Finer than the game's own: more than 64 pixels wide. */
export function isHd(texture: TextureFacts): boolean {
  return texture.width > 64;
}

/**
 * A character that shows something, with the selectors that choose between its forms; and a flag, whose
 * letters are tags.
 */
const shown = String.raw`(?:\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}|(?!\p{Default_Ignorable_Code_Point})[^\s\p{C}\u2800]\p{Variation_Selector}*)`;

/** What emoji and scripts with joined letters put between visible characters (The Unicode Standard, 23.2). */
const joiner = String.raw`(?:\u200C|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}])\u200D)`;

/**
 * At least one visible character, on one line, without controls, and without what shows nothing or steers how
 * other letters show. The joiners of emoji and of joined letters stand between visible characters.
 */
export const textureNamePattern = new RegExp(
  String.raw`^\s*${shown}(?:(?:${joiner}|[\p{Zs}\u2800]+)?${shown})*[\s\u2800]*$`,
  "u",
);

/**
 * A skin's or cape's name: 1 to 64 characters (code points after NFC) on one line, blanks at the ends cut
 * off. Fails with invalid.
 */
export function parseTextureName(text: string): string {
  const name = text
    .slice(0, limits.textureNameLengthMax * 8)
    .normalize("NFC")
    .trim();
  const length = Array.from(name).length;
  if (length > limits.textureNameLengthMax || !textureNamePattern.test(name)) {
    throw refusals.badTextureName(limits.textureNameLengthMax);
  }
  return name;
}
