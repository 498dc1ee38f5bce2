/** Whether data can still be written. */
export interface StorageProbe {
  /**
   * Writes to the database without changing what is read. Fails when that takes longer than some seconds, with not_found when the
   * opened file is no longer where the next start looks for it.
   */
  write(): Promise<void>;
  /** Each disk that is written to, once; without disks that do not report their free space. */
  freeSpace(): Promise<readonly FreeSpace[]>;
  /** Whether textures are in a bucket: while it fails, pictures from memory, sign-ins and profiles go on. */
  readonly texturesAreRemote: boolean;
}

/** The disk of a folder. `textures` is inside `data` but may be on another disk. */
export type FreeSpace = {
  readonly folder: "data" | "textures";
  /** Bytes that this process may still write. */
  readonly bytes: number;
  /** Bytes that all that is on the disk takes. */
  readonly used: number;
};
