import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../domain/ports/blob-store.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { newUuid, type TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";

/**
 * Texture files in a folder: `<hash's first two digits>/<hash>.png`, so that no folder grows past some thousands of entries
 * at a million textures. Files are staged in `staging/` on the same file system, because only a rename within one is atomic.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const staging = join(folder, "staging");
  await makeFolder(staging);
  await removeLeftovers(staging);
  const pathOf = (hash: TextureHash) => join(folder, hash.slice(0, 2), `${hash}.png`);
  const inTheMaking = new Map<string, Promise<void>>();
  /** Whoever needs a folder that another upload is making waits until its name lasts, too. */
  const makeTogether = (parent: string): Promise<void> => {
    const making = inTheMaking.get(parent) ?? makeFolder(parent).finally(() => inTheMaking.delete(parent));
    inTheMaking.set(parent, making);
    return making;
  };

  return {
    stage: async (bytes) => {
      const path = join(staging, newUuid());
      await writeStaged(path, bytes);
      return {
        publish: async (hash) => {
          await makeTogether(join(folder, hash.slice(0, 2)));
          await moveInto(path, pathOf(hash));
        },
        [Symbol.asyncDispose]: () => rm(path, { force: true }),
      };
    },
    read: (hash) => unlessMissing(readPlainFile(pathOf(hash), limits.storedTextureBytesMax), null),
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

async function writeStaged(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeNew(path, bytes);
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")) throw error;
    throw new AppError("no_space", "No space is left on the server's disk", { cause: error });
  }
}

async function unlessMissing<T, Absent>(value: Promise<T>, absent: Absent): Promise<T | Absent> {
  try {
    return await value;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return absent;
    throw error;
  }
}
