/** Whether what is kept can still be kept. */
export interface StorageProbe {
  /**
   * Writes to the database, changing nothing that is read. Fails when that cannot be done within some seconds, with not_found when
   * the file that was opened is no longer where the next start looks for it.
   */
  write(): Promise<void>;
  /** Each disk that is written to, once; without disks that do not report their space. */
  freeSpace(): Promise<readonly FreeSpace[]>;
}

/** Bytes that this process may still write on the disk of a folder. `textures` is one inside `data` that may be on another disk. */
export type FreeSpace = { readonly folder: "data" | "textures"; readonly bytes: number };
