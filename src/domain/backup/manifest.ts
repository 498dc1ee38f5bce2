import type { Sum } from "../ports/backup-ports.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { nameOf } from "../model/backup-entries.ts";
import { count, fieldsOf, parseFields, sum, sums, words, wordsOrNull } from "./manifest-fields.ts";

/** The archive's format. A program reads backups of its own format and of older ones. */
export const backupFormat = 1;

/** A backup's description of itself, its last entry. */
export type Manifest = {
  readonly format: number;
  /** The version of the program that made it. */
  readonly program: string;
  /** How many migrations were applied to its database. */
  readonly schema: number;
  /** ISO 8601. */
  readonly created: string;
  readonly database: Sum;
  readonly textures: {
    readonly count: number;
    readonly bytes: number;
    /** Rows whose file was already missing or damaged when the backup was made. */
    readonly lost: number;
    /** See `textureHasher`; null in backups of versions before 0.2. */
    readonly sha256: string | null;
  };
  /** Kept files and sealed secrets, by entry name. */
  readonly files: Readonly<Record<string, Sum>>;
  /**
   * A code over all of this that proves knowledge of the passphrase; null: made without one, or by a version
   * before 0.2.
   */
  readonly mac: string | null;
};

/**
 * The text that a manifest's code covers: all its fields in a fixed order, and through their hashes the
 * complete backup.
 */
export function authenticatedText(manifest: Manifest): string {
  const { format, program, schema, created, database, textures, files } = manifest;
  const names = Object.keys(files).toSorted();
  return JSON.stringify([
    [format, program, schema, created],
    [database.bytes, database.sha256],
    [textures.count, textures.bytes, textures.lost, textures.sha256],
    names.map((name) => [name, files[name]?.bytes, files[name]?.sha256]),
  ]);
}

/** Hashes all textures of a backup, in their order: the hash that names each, and its file's SHA-256. */
export function textureHasher() {
  const hasher = new Bun.CryptoHasher("sha256");
  return {
    add: (hash: TextureHash, sha256: string) => void hasher.update(`${hash} ${sha256}\n`),
    digest: () => hasher.digest("hex"),
  };
}

/** How a backup holds the secrets. */
export function secretsIn({ files }: Manifest): "clear" | "sealed" | "none" {
  const names = Object.keys(files);
  if (names.includes(nameOf({ kind: "sealed-secrets" }))) return "sealed";
  return names.some((name) => name.startsWith("secrets/")) ? "clear" : "none";
}

/** The first entry's text. A program of any version recognises a backup and its format by it. */
export function markText(): string {
  return `cloakroom backup ${backupFormat}\n`;
}

/**
 * Fails with invalid for a text that is not a mark, and with conflict for a format that this program does not
 * know.
 */
export function checkMark(text: string): void {
  const [, format] = /^cloakroom backup ([1-9]\d{0,5})\n$/.exec(text) ?? [];
  if (format === undefined) throw new PlainError("invalid", "it is not a backup of cloakroom");
  if (Number(format) > backupFormat) {
    throw new PlainError(
      "conflict",
      `it was made by a newer version (format ${format}): install that version`,
    );
  }
}

/** Parses the manifest's JSON. Fails with invalid when a field is missing or of another type. */
export function parseManifest(text: string): Manifest {
  const all = parseFields(text);
  const textures = fieldsOf(all["textures"]);
  return {
    format: count(all["format"]),
    program: words(all["program"]),
    schema: count(all["schema"]),
    created: words(all["created"]),
    database: sum(all["database"]),
    textures: {
      count: count(textures["count"]),
      bytes: count(textures["bytes"]),
      lost: count(textures["lost"]),
      sha256: wordsOrNull(textures["sha256"]),
    },
    files: sums(all["files"]),
    mac: wordsOrNull(all["mac"]),
  };
}
