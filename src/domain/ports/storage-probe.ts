/** Whether data can still be written. */
export interface StorageProbe {
  /**
   * Writes to the database without changing what is read, or looks whether that can be done. Fails when that
   * takes longer than some seconds; with not_found when the opened file is no longer where the next start
   * looks for it; of a server, with unavailable while it is away, with forbidden while it takes no writes,
   * and with internal when it cannot read its own files.
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
