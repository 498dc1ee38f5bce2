import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  fits,
  keptFolders,
  nameOf,
  parsePart,
  parseTexturePath,
  type BackupEntry,
} from "../../domain/model/backup-entries.ts";
import type { KeptFile } from "../../domain/ports/backup-ports.ts";
import { codeOf } from "../../kernel/errors.ts";

/**
 * The files beside the database that belong into a backup, and the names of those that do not: too large,
 * oddly named or not a file.
 */
type Kept<File> = { readonly files: readonly File[]; readonly leftOut: readonly string[] };

/** Reads the small files beside the database. */
export async function readKeptFiles(dataDir: string): Promise<Kept<KeptFile>> {
  const { files, leftOut } = await findKeptFiles(dataDir);
  const read: KeptFile[] = [];
  for (const part of files)
    read.push({ ...part, content: await Bun.file(join(dataDir, nameOf(part))).bytes() });
  return { files: read, leftOut };
}

/** A file by its path in the folder. */
type FileToRestore = { readonly name: string; readonly bytes: number };

/**
 * Lists the files of a data folder that a restore brings back: the database, its log, then the other parts of
 * a backup.
 */
export async function filesToRestore(dataDir: string): Promise<Kept<FileToRestore>> {
  const textures = existsSync(join(dataDir, "textures"))
    ? (await readdir(join(dataDir, "textures"), { recursive: true })).map((path) => `textures/${path}`)
    : [];
  const kept = await findKeptFiles(dataDir);
  const files: FileToRestore[] = [];
  const leftOut = [...kept.leftOut];
  for (const name of [
    ...["cloakroom.db", "cloakroom.db-wal"].filter((name) => existsSync(join(dataDir, name))),
    ...kept.files.map(nameOf),
    ...textures.filter((path) => parseTexturePath(path) !== null),
  ]) {
    const bytes = await bytesOf(join(dataDir, name));
    if (bytes === null) leftOut.push(name);
    else files.push({ name, bytes });
  }
  return { files, leftOut };
}

async function findKeptFiles(dataDir: string): Promise<Kept<BackupEntry & { readonly kind: "file" }>> {
  const files: (BackupEntry & { readonly kind: "file" })[] = [];
  const leftOut: string[] = [];
  for (const folder of keptFolders) {
    for (const name of await namesIn(join(dataDir, folder))) {
      const path = `${folder}/${name}`;
      const part = parsePart(path);
      const bytes = await bytesOf(join(dataDir, path));
      if (part?.kind !== "file" || bytes === null || !fits(part, bytes)) leftOut.push(path);
      else files.push(part);
    }
  }
  return { files, leftOut };
}

/**
 * Skips names that begin with a dot: unfinished files, and the folders behind mounted secrets and settings.
 */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith(".")).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The size of the file or of a link's target; null for anything but a file. */
async function bytesOf(path: string): Promise<number | null> {
  try {
    const entry = await stat(path);
    return entry.isFile() ? entry.size : null;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ELOOP") return null;
    throw error;
  }
}
