import type { TextureHash } from "../../kernel/ids.ts";
import type { TextureRows } from "./texture-files.ts";
import type { KeptFolder } from "../model/backup-parts.ts";

/** A part's size and hex SHA-256. */
export type Sum = { readonly bytes: number; readonly sha256: string };

/** Bytes that come one piece after the other, so that no file has to fit into memory. */
export type Chunks = AsyncIterable<Uint8Array>;

/** An entry on its way into an archive. */
export type OutgoingEntry = {
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array | Chunks;
};

/** An entry that is read from an archive. Its content can be read once, before the next entry is asked for. */
export type IncomingEntry = { readonly name: string; readonly bytes: number; readonly content: Chunks };

/** Archives on disk, by path. */
export interface Archives {
  /** Writes a new file (0600) and makes it survive a power cut. Fails with no_space on a full disk. */
  write(path: string, entries: AsyncIterable<OutgoingEntry>): Promise<void>;
  /** Reads entry by entry. Fails with invalid for a file that is damaged, cut off or no archive of plain files. */
  read(path: string): AsyncIterable<IncomingEntry>;
}

/** A database that nobody else works with: a copy of the live one, or one that is being restored. */
export interface DatabaseCopy extends TextureRows, Disposable {
  /** How many migrations it has seen. */
  readonly schema: number;
  /** What in its schema is not as our migrations make it; empty when all is. */
  schemaFaults(): readonly string[];
  /** What SQLite finds wrong with it; empty when it is sound. Reads all of it. */
  faults(): readonly string[];
  /** Removes the texture with the skins and capes that show it. */
  forgetTexture(hash: TextureHash): void;
  /** Makes the row name other bytes of the same bitmap. */
  setDigest(hash: TextureHash, digest: string): void;
  /** Size and hash of its file, after which nothing is to be changed any more. */
  sum(): Promise<Sum>;
  /** The file's bytes. */
  content(): Chunks;
}

/** A small file of one of the kept folders. */
export type KeptFile = { readonly folder: KeptFolder; readonly name: string; readonly content: Uint8Array };

/** What a passphrase is good for. Slow on purpose. */
export interface Sealing {
  /** Encrypts. */
  seal(plain: Uint8Array, passphrase: string): Promise<Uint8Array>;
  /** Null when the passphrase is wrong or the bytes are damaged: nobody can tell which. */
  open(sealed: Uint8Array, passphrase: string): Promise<Uint8Array | null>;
  /** A code of the text that nobody can make without the passphrase. */
  authenticate(text: string, passphrase: string): Promise<string>;
  /** Whether the code is one of this text and passphrase. */
  isAuthentic(text: string, mac: string, passphrase: string): Promise<boolean>;
}

/** A folder in which a data folder's files are put together before they are used. */
export interface StagedFolder {
  /** Writes a new file by an entry's name, its bytes safe against a power cut. Fails with no_space on a full disk. */
  write(name: string, content: Chunks): Promise<void>;
  /** Null when there is none. */
  readTexture(hash: TextureHash): Promise<Uint8Array | null>;
  /** Fails with invalid when the file that was written is no database. */
  openDatabase(): DatabaseCopy;
  /** Bytes of its disk; null where its file system does not tell. */
  space(): Promise<{ readonly free: number; readonly size: number } | null>;
}

/** Where scheduled backups are kept, by name. */
export interface BackupShelf {
  /** Takes the finished file, which may be moved away by that; tells where it is now. The signal stops it, with its reason. */
  put(path: string, name: string, signal: AbortSignal): Promise<string>;
  list(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}
