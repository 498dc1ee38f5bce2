import type { StoredCoding } from "../negotiation.ts";

/**
 * The console's files as the build makes them (`boot/console-build.ts`). Nothing of them is read before the
 * first page is asked for.
 */
export type ConsoleFiles = {
  readonly manifest: Manifest;
  /** A file by its name; a compressed one has the ending of its coding. */
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>;
};

export type Manifest = {
  /** The HTML that all pages are made from. */
  readonly page: string;
  /** The asset that is the pages' icon where the community has no logo. */
  readonly icon: string;
  /** The asset that is the icon on home screens where the community has no logo. */
  readonly touchIcon: string;
  /**
   * Files that pages load, by name. A name holds a hash of the content, so a file never changes under its
   * name.
   */
  readonly assets: Readonly<Record<string, Asset>>;
  /**
   * The scripts that a module needs, by its path below `src`: its own first, then those that it imports.
   * Modules that are loaded later have an entry, and so has `web/index.html`.
   */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
};

export type Asset = {
  /** The media type. */
  readonly type: string;
  /** The codings in which it is there beside the plain file. */
  readonly codings: readonly StoredCoding[];
};

/** The endings of compressed files. */
export const codingEndings = { zstd: ".zst", gzip: ".gz" } as const satisfies Record<StoredCoding, string>;
