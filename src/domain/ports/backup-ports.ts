import type { TextureFile, TextureHash } from "../../kernel/ids.ts";
import type { TextureRows } from "./texture-files.ts";
import type { KeptFolder } from "../model/backup-entries.ts";

/** A part's size and hex SHA-256. */
export type Sum = { readonly bytes: number; readonly sha256: string };

/** Bytes in chunks, so that no file has to fit into memory. */
export type Chunks = AsyncIterable<Uint8Array>;

/** An entry on its way into an archive. */
export type OutgoingEntry = {
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array | Chunks;
};

/** An entry from an archive. Its content can be read once, before the next entry. */
export type IncomingEntry = { readonly name: string; readonly bytes: number; readonly content: Chunks };

/** Archives on disk, by path. */
export interface Archives {
  /** Writes a new file (0600) durably. Fails with no_space on a full disk. */
  write(path: string, entries: AsyncIterable<OutgoingEntry>): Promise<void>;
  /**
   * Reads entry by entry. Fails with invalid for a file that is damaged, incomplete or not an archive of
   * plain files.
   */
  read(path: string): AsyncIterable<IncomingEntry>;
}

/** A database without other users: a copy of the live one, or one that is being restored. */
export interface DatabaseCopy extends TextureRows, Disposable {
  /** How many migrations were applied to it. */
  readonly schema: number;
  /** Differences between its schema and that of our migrations; empty when they are equal. */
  schemaFaults(): readonly string[];
  /** The faults that SQLite finds; empty when it is sound. Reads the complete database. */
  faults(): readonly string[];
  /** Removes the texture with the skins and capes that show it. */
  forgetTexture(hash: TextureHash): void;
  /** Makes the row name other bytes of the same bitmap. */
  setDigest(hash: TextureHash, digest: string): void;
  /** Makes the row name another file of the same bytes. */
  setFile(hash: TextureHash, file: TextureFile): void;
  /**
   * Keeps the id of the place of its textures, and returns its community; null, with nothing kept, in an
   * older schema.
   */
  setPlace(id: string): string | null;
  /**
   * Names each texture's file by its hash, as the files of a backup are named, and forgets files that were to
   * be deleted, and their place.
   */
  nameFilesByHash(): void;
  /** Size and hash of its file. The database must not change afterwards. */
  sum(): Promise<Sum>;
  /** The file's bytes. */
  content(): Chunks;
}

/** A small file of one of the kept folders. */
export type KeptFile = { readonly folder: KeptFolder; readonly name: string; readonly content: Uint8Array };

/** Encryption and authentication with a passphrase. Slow on purpose. */
export interface Sealing {
  /** Encrypts. */
  seal(plain: Uint8Array, passphrase: string): Promise<Uint8Array>;
  /** Decrypts; null when the passphrase is wrong or the bytes are damaged, which cannot be told apart. */
  open(sealed: Uint8Array, passphrase: string): Promise<Uint8Array | null>;
  /** Makes an authentication code of the text, which takes the passphrase. */
  authenticate(text: string, passphrase: string): Promise<string>;
  /** Whether the code belongs to this text and passphrase. */
  isAuthentic(text: string, mac: string, passphrase: string): Promise<boolean>;
}

/** A folder in which the files of a data folder are collected before they are used. */
export interface StagedFolder {
  /** Writes a new file by an entry's name, with durable bytes. Fails with no_space on a full disk. */
  write(name: string, content: Chunks): Promise<void>;
  /** Null for a missing file. */
  readTexture(file: TextureFile): Promise<Uint8Array | null>;
  /** Fails with invalid when the written file is not a database. */
  openDatabase(): DatabaseCopy;
  /** Bytes of its disk; null where the file system does not report them. */
  space(): Promise<{ readonly free: number; readonly size: number } | null>;
}

/** Storage for scheduled backups, by name. */
export interface BackupTarget {
  /**
   * Stores the finished file, which this may move, and resolves to its place. The signal stops it, with its
   * reason.
   */
  put(path: string, name: string, signal: AbortSignal): Promise<string>;
  list(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}
