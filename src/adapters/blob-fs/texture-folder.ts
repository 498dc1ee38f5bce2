import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../domain/ports/blob-store.ts";
import type { FoundFile, TextureFolder } from "../../domain/ports/texture-files.ts";
import { hashOfName } from "./blob-store.ts";
import { moveInto } from "../../kernel/durable-files.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";

const staging = "staging";

/** Reads the folder of `openBlobFolder` without changing it. Damaged files can be moved to the `quarantineFolder`. */
export function textureFolder(
  folder: string,
  quarantineFolder: string,
): TextureFolder & Pick<BlobStore, "read"> {
  return {
    read: async (hash) => {
      const path = join(folder, hash.slice(0, 2), `${hash}.png`);
      return (await Bun.file(path).exists()) ? await readPlainFile(path, limits.storedTextureBytesMax) : null;
    },
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
    quarantine: async (hash, isDamaged) => {
      const path = join(folder, hash.slice(0, 2), `${hash}.png`);
      const moved = join(quarantineFolder, `${hash}.png`);
      await mkdir(quarantineFolder, { recursive: true, mode: 0o700 });
      await rename(path, moved);
      if (isDamaged(await readPlainFile(moved, limits.storedTextureBytesMax))) return moved;
      await moveInto(moved, path);
      return null;
    },
    removeLeftover: (path) => rm(join(folder, path), { force: true }),
  };
}

/** Whether the folder of `openBlobFolder` holds a texture, or the beginning of one. */
export function holdsTextures(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.some((name) => /^[0-9a-f]{2}$/.test(name) && readdirSync(join(folder, name)).length > 0);
}

/** Null for a folder, and for a file that has gone since it was listed. */
async function look(folder: string, path: string): Promise<FoundFile | null> {
  const entry = await stat(join(folder, path)).catch(() => null);
  if (entry === null || entry.isDirectory()) return null;
  const changedAt = Math.floor(entry.mtimeMs / 1000);
  const [parent, name = ""] = path.split("/");
  if (parent === staging) return { kind: "leftover", path, hash: null, changedAt };
  const hash = hashOfName(name);
  if (hash === null || parent !== hash.slice(0, 2)) return { kind: "stranger", path, hash: null, changedAt };
  return { kind: "texture", path, hash, changedAt };
}

/** Empty for a file, and where nothing is. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}
