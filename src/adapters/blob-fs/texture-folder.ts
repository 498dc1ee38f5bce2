import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../domain/ports/blob-store.ts";
import { placeLabelName } from "../../domain/model/place-label.ts";
import type { FoundFile, TexturePlace } from "../../domain/ports/texture-files.ts";
import { limits } from "../../kernel/limits.ts";
import { fileOfName, listFiles, pathInFolder, readTextureFile } from "./blob-store.ts";
import { labelDraftPrefix } from "./folder-label.ts";

const staging = "staging";

/**
 * Reads the folder of `openBlobFolder` without changing it. Damaged files can be moved to the
 * `quarantineFolder`.
 */
export function textureFolder(
  folder: string,
  quarantineFolder: string,
): TexturePlace & Pick<BlobStore, "read" | "list" | "strandedSeconds"> {
  return {
    strandedSeconds: limits.uploadSecondsMax,
    pathOf: pathInFolder,
    read: (file) => readTextureFile(join(folder, pathInFolder(file))),
    list: (after) => listFiles(folder, after),
    files: async function* () {
      for (const name of await namesIn(folder)) {
        const inside = await namesIn(join(folder, name));
        const paths = inside.length === 0 ? [name] : inside.map((file) => `${name}/${file}`);
        for (const path of paths) {
          const found = await look(folder, path);
          if (found !== null) yield found;
        }
      }
    },
    quarantine: async (file) => {
      const moved = join(quarantineFolder, `${file}.png`);
      await mkdir(quarantineFolder, { recursive: true, mode: 0o700 });
      await rename(join(folder, pathInFolder(file)), moved);
      return moved;
    },
    removeLeftover: (path) => rm(join(folder, path), { force: true }),
  };
}

/** Whether the folder of `openBlobFolder` holds a texture, or the beginning of one. */
export function holdsTextures(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.some((name) => /^[0-9a-f]{2}$/.test(name) && readdirSync(join(folder, name)).length > 0);
}

/** Null for a folder, for the folder's label, and for a file that has gone since it was listed. */
async function look(folder: string, path: string): Promise<FoundFile | null> {
  const entry = await stat(join(folder, path)).catch(() => null);
  if (entry === null || entry.isDirectory() || path === placeLabelName) return null;
  const storedAt = Math.floor(entry.mtimeMs / 1000);
  const [parent, name = ""] = path.split("/");
  if (parent === staging || path.startsWith(labelDraftPrefix)) return { kind: "leftover", path, storedAt };
  const file = fileOfName(name);
  if (file === null || path !== pathInFolder(file)) return { kind: "stranger", path };
  return { kind: "texture", path, file, storedAt };
}

/** Empty for a file, and where nothing is. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}
