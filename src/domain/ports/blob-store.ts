import type { TextureHash } from "../../kernel/ids.ts";

/** Content-addressed files. A published file stays readable by its hash until it is deleted. */
export interface BlobStore {
  /** Writes the bytes, durably, under a name that no reader knows. Fails with no_space on a full disk. */
  stage(bytes: Uint8Array): Promise<StagedBlob>;
  /** The file's bytes; null without a file. What cannot be read is a fault. */
  read(hash: TextureHash): Promise<Uint8Array | null>;
  has(hash: TextureHash): Promise<boolean>;
  /** The hashes of the files that begin with these two hexadecimal digits. */
  list(digits: string): Promise<readonly TextureHash[]>;
  /** When the file was published last, in Unix seconds; null without a file. */
  publishedAt(hash: TextureHash): Promise<number | null>;
  /** Clears up what killed processes left: files and holds of unfinished uploads older than an hour, unfinished deletions. */
  removeLeftovers(): Promise<void>;
  /**
   * Removes the file, if there is one, unless a staged blob of any process holds it or `isNeeded` returns true. `isNeeded` is
   * called when no reader finds the file any more: a file that is needed is restored.
   */
  delete(hash: TextureHash, isNeeded?: () => Promise<boolean>): Promise<void>;
}

/** Bytes that are being stored. Disposing of them removes what was not published, and releases what is held. Fails as `stage` does. */
export interface StagedBlob extends AsyncDisposable {
  /**
   * Gives the bytes their name, replacing a file that has it, and holds that file: it is not deleted meanwhile. The name is
   * durable when the promise resolves.
   */
  publish(hash: TextureHash): Promise<void>;
  /** Holds the file that has the name already. */
  hold(hash: TextureHash): Promise<void>;
}
