import type { TextureHash } from "../../kernel/ids.ts";

/** Content-addressed files. Whatever is published stays readable by its hash until it is deleted. */
export interface BlobStore {
  /** Writes the bytes where nobody reads them yet, safe against a power cut. Fails with no_space on a full disk. */
  stage(bytes: Uint8Array): Promise<StagedBlob>;
  /** The file's bytes; null when there is none. */
  read(hash: TextureHash): Promise<Uint8Array | null>;
  has(hash: TextureHash): Promise<boolean>;
  /** Removes the file; nothing happens when there is none. */
  delete(hash: TextureHash): Promise<void>;
}

/** Bytes on their way. Disposing of them without publishing removes them. */
export interface StagedBlob extends AsyncDisposable {
  /** Gives the bytes their name, replacing a file that has it. When the promise resolves, a power cut cannot undo it. */
  publish(hash: TextureHash): Promise<void>;
}
