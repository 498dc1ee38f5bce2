import type { TextureHash } from "../kernel/ids.ts";
import type { Waiters } from "../kernel/waiters.ts";
import type { IncomingSkin, IncomingTexture } from "./textures/intake.ts";
import type { SkinModel } from "./model/texture.ts";

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

/** Slow hashes for passwords, off the main thread. Both ways fail with limited when too many wait for their turn. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False for a wrong password and for a hash of no known kind. */
  verify(password: string, hash: string): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
}

/** One picture to make from stored files. `size` is in pixels, 8 to 1024. */
export type PictureJob = {
  readonly view: "head" | "body" | "cape";
  readonly type: "skin" | "player";
  readonly size: number;
  readonly skin?: { readonly png: Uint8Array; readonly model: SkinModel };
  readonly cape?: Uint8Array;
};

/** An order for a picture, with all that decides how long it takes. `read` gets its textures when its turn has come. */
export type PictureOrder = Pick<PictureJob, "view" | "type" | "size"> & {
  readonly skin?: TextureSize & { readonly model: SkinModel };
  readonly cape?: TextureSize;
  readonly read: () => Promise<PictureJob>;
};

/** In pixels. */
export type TextureSize = { readonly width: number; readonly height: number };

/**
 * Makes the PNG of a picture. It holds the event loop for about 10 ms at most, and for a fifth of the time altogether. Fails
 * with limited when too much waits already, and with an AbortError when all waiters are gone before its turn.
 */
export type PictureRenderer = (order: PictureOrder, waiters: Waiters) => Promise<Uint8Array>;

/**
 * The one way in for textures, by HTTP and by command line: checked, decoded and written anew within the operator's
 * rules, without holding the event loop for more than about 10 ms. Clients share the time evenly. Both fail as `intakeSkin` and
 * `intakeCape` do, and with limited when too much waits already.
 */
export interface TextureIntake {
  /** A declared model wins; null: found from the pixels. `client` is whose share of the time it takes. */
  skin(file: Uint8Array, declared: SkinModel | null, client: string): Promise<IncomingSkin>;
  cape(file: Uint8Array, client: string): Promise<IncomingTexture>;
}

/** Whether what is kept can still be kept. */
export interface StorageProbe {
  /**
   * Writes to the database, changing nothing that is read. Fails when that cannot be done within some seconds, with not_found when
   * the file that was opened is no longer where the next start looks for it.
   */
  write(): Promise<void>;
  /** Each disk that is written to once, those that do not tell left out. */
  freeSpace(): Promise<readonly FreeSpace[]>;
}

/** Bytes that this process may still write on the disk of a folder. `textures` is one inside `data` that may be on another disk. */
export type FreeSpace = { readonly folder: "data" | "textures"; readonly bytes: number };

/**
 * A number that changes whenever an answer of delivery may have changed, in this process or another. Whoever has read
 * `performance.now()` already says so: on the hottest path reading it again is felt.
 */
export type DeliveryVersion = (now?: number) => number;
