import type { TextureFile, TextureHash } from "../../kernel/ids.ts";
import type { Texture } from "../model/texture.ts";

/** A row that names a file; the digest is the SHA-256 of its bytes. */
export type TextureRow = Pick<Texture, "hash" | "file" | "digest">;

/** The rows of textures, each as committed at the moment of the call. */
export interface LiveTextureRows {
  /** All of them, by hash. */
  textures(): Iterable<TextureRow> | AsyncIterable<TextureRow>;
  findTexture(hash: TextureHash): TextureRow | null | Promise<TextureRow | null>;
  /** How many skins and capes have it. */
  countUses(hash: TextureHash): number | Promise<number>;
}

/** Those of a file that is read at once. */
export interface TextureRows extends LiveTextureRows {
  textures(): Iterable<TextureRow>;
  findTexture(hash: TextureHash): TextureRow | null;
  countUses(hash: TextureHash): number;
}

/**
 * A file in the place of the textures, by its path. A leftover is an unfinished write of a killed process; a
 * stranger is not cloakroom's.
 */
export type FoundFile = { readonly path: string } & (
  | { readonly kind: "texture"; readonly file: TextureFile; readonly storedAt: number }
  | { readonly kind: "leftover"; readonly storedAt: number }
  | { readonly kind: "stranger" }
);

/** The place of the textures as it is, for checks and repairs. */
export interface TexturePlace {
  /** Where a file is in it, for people. */
  pathOf(file: TextureFile): string;
  files(): AsyncIterable<FoundFile>;
  /**
   * Moves a damaged file out of the way and resolves to its new path. Resolves to null where it stays: there
   * a sound one replaces it, and what was kept of it elsewhere can bring it back.
   */
  quarantine(file: TextureFile): Promise<string | null>;
  /** Removes a leftover. */
  removeLeftover(path: string): Promise<void>;
}
