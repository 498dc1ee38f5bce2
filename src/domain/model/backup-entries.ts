/**
 * What a backup is made of. It is a tar archive in one zstd frame, so that ordinary tools open it too, with
 * these entries: the mark, kept files and sealed secrets, textures by hash, the database, and the manifest
 * last.
 */
import { limits } from "../../kernel/limits.ts";
import { parseTextureFile, parseTextureHash, type TextureFile, type TextureHash } from "../../kernel/ids.ts";

/** Folders of small files that operators or the program keep beside the database. Each is flat. */
export const keptFolders = ["default-skins", "mail-templates", "secrets"] as const;
/** One of them. */
export type KeptFolder = (typeof keptFolders)[number];

/** An entry of a backup, by its kind. */
export type BackupEntry =
  | { readonly kind: "mark" }
  | { readonly kind: "texture"; readonly hash: TextureHash }
  | { readonly kind: "file"; readonly folder: KeptFolder; readonly name: string }
  | { readonly kind: "sealed-secrets" }
  | { readonly kind: "database" }
  | { readonly kind: "manifest" };

/** Bytes that an entry may have. */
const bytesMax: Readonly<Record<BackupEntry["kind"], number>> = {
  mark: 64,
  texture: limits.storedTextureBytesMax,
  file: 16 * 1024 * 1024,
  "sealed-secrets": 64 * 1024 * 1024,
  database: Number.MAX_SAFE_INTEGER,
  manifest: 16 * 1024 * 1024,
};

const single = {
  mark: "cloakroom-backup",
  "sealed-secrets": "secrets.sealed",
  database: "cloakroom.db",
  manifest: "manifest.json",
} as const;

const texturePattern = /^textures\/([0-9a-f]{2})\/([0-9a-f]{64})\.png$/;
const filePattern = /^([a-z-]+)\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/;

/** The entry's name, which is also its path in the data folder for whatever is put back there as it is. */
export function nameOf(part: BackupEntry): string {
  if (part.kind === "texture") return texturePath(part.hash);
  return part.kind === "file" ? `${part.folder}/${part.name}` : single[part.kind];
}

/** The path of a texture's file in the data folder. In a backup the hash alone names it. */
export function texturePath(file: TextureFile | TextureHash): string {
  return `textures/${file.slice(0, 2)}/${file}.png`;
}

/** The texture's file that is at this path in the data folder; null for any other path. */
export function parseTexturePath(path: string): TextureFile | null {
  const file = parseTextureFile(path.slice("textures/00/".length, -".png".length));
  return file !== null && texturePath(file) === path ? file : null;
}

/**
 * Reads an entry's name; null for a name that no backup has. An accepted name never leads out of a folder.
 */
export function parsePart(name: string): BackupEntry | null {
  for (const kind of ["mark", "sealed-secrets", "database", "manifest"] as const) {
    if (name === single[kind]) return { kind };
  }
  const [, start, digits = ""] = texturePattern.exec(name) ?? [];
  const hash = parseTextureHash(digits);
  if (hash !== null) return start === hash.slice(0, 2) ? { kind: "texture", hash } : null;
  const [, first, file] = filePattern.exec(name) ?? [];
  const folder = keptFolders.find((one) => one === first);
  return folder === undefined || file === undefined ? null : { kind: "file", folder, name: file };
}

/** Whether a part may have so many bytes. */
export function fits(part: BackupEntry, bytes: number): boolean {
  return bytes <= bytesMax[part.kind];
}
