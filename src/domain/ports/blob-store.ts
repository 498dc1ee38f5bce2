import type { TextureFile, TextureHash } from "../../kernel/ids.ts";

/**
 * Where files of textures are. A file never changes, and its name is used once, so nothing that happens late
 * can meet another file. What is asked of a store that does not answer fails with unavailable.
 */
export interface BlobStore {
  /**
   * Stores the bytes, under a name that no file had before. They are durable when the promise resolves. Fails
   * with no_space on a full disk.
   */
  put(hash: TextureHash, bytes: Uint8Array): Promise<TextureFile>;
  /** The bytes as they are there, which may be damaged: see `readTexture`. Null without a file. */
  read(file: TextureFile): Promise<Uint8Array | null>;
  /** Removes the file, if there is one. */
  delete(file: TextureFile): Promise<void>;
  /**
   * Some of the files, among them those on their way and those without a row, after the place where another
   * page ended.
   */
  list(after: string | null): Promise<BlobPage>;
  /** Fails with the reason when nothing could be stored now. Stores nothing that stays. */
  probe(): Promise<void>;
  /**
   * How long a file stays after its row has gone: requests of other nodes may still read it. 0: it goes with
   * the commit.
   */
  readonly lingerSeconds: number;
  /** A file without a row that is older was left behind: no upload takes that long. */
  readonly strandedSeconds: number;
}

/** Some of the files of a store. */
export type BlobPage = {
  readonly files: readonly ListedBlob[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
};

/** A file of a store, and when it was stored (Unix seconds); null once it is gone. */
export type ListedBlob = { readonly file: TextureFile; readonly storedAt: () => Promise<number | null> };
