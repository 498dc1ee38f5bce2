/**
 * Branded identifiers: only this file turns a raw string or number into an id, so an account's id cannot pass
 * for a skin's.
 */
declare const brand: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };

/** An account's number: autoincrement, never used again. */
export type AccountId = Branded<number, "AccountId">;
/** A player's number. */
export type PlayerId = Branded<number, "PlayerId">;
/** A skin's number within its table. */
export type SkinId = Branded<number, "SkinId">;
/** A cape's number within its table. */
export type CapeId = Branded<number, "CapeId">;
/** A session's name: the `sid` claim of its JWT. */
export type SessionId = Branded<string, "SessionId">;
/** A UUID as it is stored and answered: dashed, lower case. */
export type Uuid = Branded<string, "Uuid">;
/** 64 lower-case hex digits that name a bitmap (see `domain/textures/hashes.ts`). */
export type TextureHash = Branded<string, "TextureHash">;

/**
 * The name of a texture's stored file: `<bitmap's hash>.<32 random hex digits>`, or the hash alone, by
 * releases before 0.3.
 */
export type TextureFile = Branded<string, "TextureFile">;

/** A UUID in lower case, dashed or not. */
export const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/;
/** A SHA-256 in lower-case hex. It names a bitmap and its file. */
export const hashPattern = /^[0-9a-f]{64}$/;
/** The largest row number that is accepted. */
export const rowNumberMax = 999_999_999_999_999;
/** A row number from 1 to `rowNumberMax`, without a leading zero. */
export const rowNumberPattern = new RegExp(`^[1-9][0-9]{0,${String(rowNumberMax).length - 1}}$`);

/** Parses a UUID, dashed or not, in any case; null for any other text. */
export function parseUuid(text: string): Uuid | null {
  if (text.length < 32 || text.length > 36) return null;
  const lower = text.toLowerCase();
  if (!uuidPattern.test(lower)) return null;
  // With all its dashes, as nearly every UUID comes.
  if (lower.length === 36) return lower as Uuid;
  const hex = lower.replaceAll("-", "");
  const dashed = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
  return dashed as Uuid; // the boundary where a checked text becomes an id
}

/** A new random (version 4) UUID; never version 7, which game clients refuse. */
export function newUuid(): Uuid {
  return crypto.randomUUID() as string as Uuid; // the boundary where a made text becomes an id
}

/** Parses the 64 hex digits that name a bitmap; null for any other text. */
export function parseTextureHash(text: string): TextureHash | null {
  return hashPattern.test(text) ? (text as TextureHash) : null; // the boundary where a checked text becomes an id
}

/** A name for a texture's file that no file ever had. */
export function newTextureFile(hash: TextureHash): TextureFile {
  // The boundary where a made text becomes an id.
  return `${hash}.${crypto.randomUUID().replaceAll("-", "")}` as TextureFile;
}

const filePattern = /^[0-9a-f]{64}(?:\.[0-9a-f]{32})?$/;

/** Parses the name of a texture's file; null for any other text. */
export function parseTextureFile(text: string): TextureFile | null {
  return filePattern.test(text) ? (text as TextureFile) : null; // the boundary where a checked text becomes an id
}

/** The bitmap that a file holds. */
export function hashOfFile(file: TextureFile): TextureHash {
  return file.slice(0, 64) as TextureHash; // the first part of every such name
}

/** Parses a decimal row number (1 to 10^15 - 1, no sign, no leading zero); null for any other text. */
export function parseRowNumber(text: string): number | null {
  return rowNumberPattern.test(text) ? Number(text) : null;
}
