import type { TextureHash } from "../../kernel/ids.ts";

/** A row that names a file: the bitmap's hash is the file's name, the digest its SHA-256. */
export type TextureRow = { readonly hash: TextureHash; readonly digest: string };

/** The rows of textures, each as committed at the moment of the call. */
export interface TextureRows {
  /** All of them, by hash. */
  textures(): Iterable<TextureRow>;
  findTexture(hash: TextureHash): TextureRow | null;
  /** How many skins and capes have it. */
  countUses(hash: TextureHash): number;
}

/** A file in the textures' folder, by its path in it. A killed process left a leftover half-done; a stranger is not cloakroom's. */
export type FoundFile = {
  readonly path: string;
  /** Unix seconds of its last change. */
  readonly changedAt: number;
} & (
  | { readonly kind: "texture"; readonly hash: TextureHash }
  | { readonly kind: "leftover" | "stranger"; readonly hash: null }
);

/** The textures' folder as it is on disk. */
export interface TextureFolder {
  files(): AsyncIterable<FoundFile>;
  /**
   * Moves a texture's file into quarantine, and resolves to its new path. Resolves to null and restores the file when
   * `isDamaged` returns false, because an upload has replaced the damaged one.
   */
  quarantine(hash: TextureHash, isDamaged: (png: Uint8Array) => boolean): Promise<string | null>;
  /** Removes a leftover. */
  removeLeftover(path: string): Promise<void>;
}
