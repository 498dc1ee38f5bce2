import type { Sum } from "../ports/backup-ports.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import { nameOf } from "../model/backup-parts.ts";

/** The archive's form. A program takes backups of its own form and of older ones. */
export const backupFormat = 1;

/** What a backup says of itself, as its last entry. */
export type Manifest = {
  readonly format: number;
  /** The version of the program that made it. */
  readonly program: string;
  /** How many migrations its database has seen. */
  readonly schema: number;
  /** ISO 8601. */
  readonly created: string;
  readonly database: Sum;
  readonly textures: {
    readonly count: number;
    readonly bytes: number;
    /** Rows whose file was missing or damaged on disk already when the backup was made. */
    readonly lost: number;
    /** See `textureHasher`; null in backups of versions before 0.2. */
    readonly sha256: string | null;
  };
  /** Kept files and sealed secrets, by entry name. */
  readonly files: Readonly<Record<string, Sum>>;
  /** A code over all of this, for the holder of the passphrase; null: made without one, or by a version before 0.2. */
  readonly mac: string | null;
};

/** What a manifest's code is about: everything in it, always in the same order. Through the hashes in it, that is the whole backup. */
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

/** Hashes all textures of a backup, in their order, by the hash that each is called by and its file's SHA-256. */
export function textureHasher() {
  const hasher = new Bun.CryptoHasher("sha256");
  return {
    add: (hash: TextureHash, sha256: string) => void hasher.update(`${hash} ${sha256}\n`),
    digest: () => hasher.digest("hex"),
  };
}

/** In which form a backup holds the secrets. */
export function secretsIn({ files }: Manifest): "clear" | "sealed" | "none" {
  const names = Object.keys(files);
  if (names.includes(nameOf({ kind: "sealed-secrets" }))) return "sealed";
  return names.some((name) => name.startsWith("secrets/")) ? "clear" : "none";
}

/** The first entry's text: by it a program of another time knows what this is before it reads on. */
export function markText(): string {
  return `cloakroom backup ${backupFormat}\n`;
}

/** Fails with invalid for a text that is no mark, and with conflict for a form that this program does not know. */
export function checkMark(text: string): void {
  const [, format] = /^cloakroom backup ([1-9]\d{0,5})\n$/.exec(text) ?? [];
  if (format === undefined) throw new AppError("invalid", "it is no backup of cloakroom");
  if (Number(format) > backupFormat) {
    throw new AppError("conflict", `it was made by a newer version (form ${format}): install that one`);
  }
}

/** Reads the manifest's JSON. Fails with invalid when a field is missing or of another type. */
export function parseManifest(text: string): Manifest {
  const all = fieldsOf(parseJson(text));
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
    files: Object.fromEntries(Object.entries(fieldsOf(all["files"])).map(([name, one]) => [name, sum(one)])),
    mac: wordsOrNull(all["mac"]),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return malformed();
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : malformed();
}

function sum(value: unknown): Sum {
  const { bytes, sha256 } = fieldsOf(value);
  return { bytes: count(bytes), sha256: words(sha256) };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : malformed();
}

function words(value: unknown): string {
  return typeof value === "string" && value.length <= 256 ? value : malformed();
}

function wordsOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : words(value);
}

function malformed(): never {
  throw new AppError("invalid", "its manifest is malformed");
}
