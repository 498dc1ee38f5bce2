import type { TextureHash } from "../../kernel/ids.ts";

/** Content-addressed files. A published file stays readable by its hash until it is deleted. */
export interface BlobStore {
  /** Writes the bytes where no reader looks yet, safe against a power cut. Fails with no_space on a full disk. */
  stage(bytes: Uint8Array): Promise<StagedBlob>;
  /** The file's bytes; null when there is none. */
  read(hash: TextureHash): Promise<Uint8Array | null>;
  has(hash: TextureHash): Promise<boolean>;
  /** The hashes of the files that begin with these two hexadecimal digits. */
  list(digits: string): Promise<readonly TextureHash[]>;
  /** When the file was published last, in Unix seconds; null when there is none. */
  publishedAt(hash: TextureHash): Promise<number | null>;
  /** Clears up what killed processes left: files and holds of unfinished uploads older than an hour, unfinished deletions. */
  removeLeftovers(): Promise<void>;
  /**
   * Removes the file, unless a staged blob of any process holds it or `isNeeded` says so; nothing happens when there is none.
   * `isNeeded` is asked when no reader finds the file any more: a file that is needed comes back.
   */
  delete(hash: TextureHash, isNeeded?: () => Promise<boolean>): Promise<void>;
}

/** Bytes on their way. Disposing of them removes what was not published, and lets go of what is held. */
export interface StagedBlob extends AsyncDisposable {
  /**
   * Gives the bytes their name, replacing a file that has it, and holds that file. When the promise resolves, a power cut
   * cannot undo it.
   */
  publish(hash: TextureHash): Promise<void>;
  /** Holds the file that has the name already: it is not deleted meanwhile. */
  hold(hash: TextureHash): Promise<void>;
}
