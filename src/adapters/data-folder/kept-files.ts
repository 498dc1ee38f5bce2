import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fits, keptFolders, parsePart } from "../../domain/backup/parts.ts";
import type { KeptFile } from "../../domain/backup/ports.ts";
import { codeOf } from "../../kernel/errors.ts";

/** The small files beside the database, and the names of those that no backup takes: too large, or oddly called. */
export async function readKeptFiles(
  dataDir: string,
): Promise<{ readonly files: readonly KeptFile[]; readonly leftOut: readonly string[] }> {
  const files: KeptFile[] = [];
  const leftOut: string[] = [];
  for (const folder of keptFolders) {
    for (const name of (await plainFilesIn(join(dataDir, folder))).toSorted()) {
      const part = parsePart(`${folder}/${name}`);
      const file = Bun.file(join(dataDir, folder, name));
      if (part?.kind !== "file" || !fits(part, file.size)) leftOut.push(`${folder}/${name}`);
      else files.push({ folder, name, content: await file.bytes() });
    }
  }
  return { files, leftOut };
}

/** What a data folder holds that a restore puts back, as paths in it: a backup's parts, and what the database's log still has. */
export async function filesToRestore(dataDir: string): Promise<readonly string[]> {
  const names = ["cloakroom.db", "cloakroom.db-wal"].filter((name) => existsSync(join(dataDir, name)));
  for (const folder of [...keptFolders, "textures"]) {
    if (!existsSync(join(dataDir, folder))) continue;
    const paths = await readdir(join(dataDir, folder), { recursive: true });
    names.push(...paths.map((path) => `${folder}/${path}`).filter((path) => parsePart(path) !== null));
  }
  return names;
}

/** Files on their way have names that begin with a dot. */
async function plainFilesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
