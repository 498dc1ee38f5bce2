import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../domain/ports.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid, type TextureHash } from "../../kernel/ids.ts";

/**
 * Texture files in a folder: `<hash's first two digits>/<hash>.png`, so that no folder grows past some thousands of entries
 * at a million textures. Files are staged in `staging/` on the same file system, because only a rename within one is atomic.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const staging = join(folder, "staging");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await removeLeftovers(staging);
  const pathOf = (hash: TextureHash) => join(folder, hash.slice(0, 2), `${hash}.png`);

  return {
    stage: async (bytes) => {
      const path = join(staging, newUuid());
      await writeDurably(path, bytes);
      return {
        publish: async (hash) => {
          const parent = join(folder, hash.slice(0, 2));
          if ((await mkdir(parent, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(folder);
          await rename(path, pathOf(hash));
          await syncFolder(parent);
        },
        [Symbol.asyncDispose]: () => rm(path, { force: true }),
      };
    },
    read: (hash) => unlessMissing(Bun.file(pathOf(hash)).bytes(), null),
    has: (hash) =>
      unlessMissing(
        stat(pathOf(hash)).then((entry) => entry.isFile()),
        false,
      ),
    delete: (hash) => rm(pathOf(hash), { force: true }),
  };
}

/** What a killed process left half-written. Files of a running one are minutes old at most, and may go while we look. */
async function removeLeftovers(staging: string): Promise<void> {
  const hourAgo = Date.now() - 60 * 60 * 1000;
  for (const name of await readdir(staging)) {
    const path = join(staging, name);
    const entry = await unlessMissing(stat(path), null);
    if (entry !== null && entry.mtimeMs < hourAgo) await rm(path, { force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    if (hasCode(error, "ENOSPC") || hasCode(error, "EDQUOT")) {
      throw new AppError("no_space", "No space is left on the server's disk", { cause: error });
    }
    throw error;
  } finally {
    await file.close();
  }
}

/** Makes a new name in the folder survive a power cut. Windows cannot open folders and needs no such thing on NTFS. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T, Absent>(value: Promise<T>, absent: Absent): Promise<T | Absent> {
  try {
    return await value;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return absent;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
