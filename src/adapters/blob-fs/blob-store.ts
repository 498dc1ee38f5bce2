import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore, StagedBlob } from "../../domain/ports/blob-store.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";
import { codeOf } from "../../kernel/errors.ts";
import { newUuid, parseTextureHash, type TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import { refusals } from "../../domain/model/refusals.ts";

/** Ends of names in `staging/`, each after `<hash>.<uuid>`: an empty file that holds a texture, and a texture that is being deleted. */
const heldEnd = ".held";
const leavingEnd = ".leaving";

/**
 * Texture files in a folder: `<hash's first two digits>/<hash>.png`, so that no folder grows past some thousands of entries
 * at a million textures. Files are staged in `staging/` on the same file system, because only a rename within one is atomic.
 * Several processes may work on the folder: a file that one holds is not deleted by another.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const staging = join(folder, "staging");
  const pathOf = (hash: TextureHash) => join(folder, hash.slice(0, 2), `${hash}.png`);
  const stagedPath = (hash: TextureHash, end: string) => join(staging, `${hash}.${newUuid()}${end}`);
  const has = (hash: TextureHash) => isFile(pathOf(hash));
  const inTheMaking = new Map<string, Promise<void>>();
  /** An upload that needs a folder which another one is making waits until the folder's name lasts, too. */
  const makeTogether = (parent: string): Promise<void> => {
    const making = inTheMaking.get(parent) ?? makeFolder(parent).finally(() => inTheMaking.delete(parent));
    inTheMaking.set(parent, making);
    return making;
  };
  const isHeld = async (hash: TextureHash): Promise<boolean> =>
    (await readdir(staging)).some((name) => name.startsWith(`${hash}.`) && name.endsWith(heldEnd));
  /** A file that was published meanwhile stays. */
  const putBack = async (hash: TextureHash, leaving: string): Promise<void> => {
    if (!(await has(hash))) await unlessMissing(moveInto(leaving, pathOf(hash)), undefined);
    await rm(leaving, { force: true });
  };
  const stagedBlob = (path: string): StagedBlob => {
    const held: string[] = [];
    const hold = async (hash: TextureHash): Promise<void> => {
      const mark = stagedPath(hash, heldEnd);
      held.push(mark);
      await Bun.write(mark, "", { mode: 0o600 });
    };
    return {
      hold,
      publish: async (hash) => {
        await hold(hash);
        await makeTogether(join(folder, hash.slice(0, 2)));
        await moveInto(path, pathOf(hash));
      },
      [Symbol.asyncDispose]: async () => {
        await Promise.all([path, ...held].map((one) => rm(one, { force: true })));
      },
    };
  };

  await makeFolder(staging);
  await clearStaging(staging, putBack);
  return {
    stage: async (bytes) => {
      const path = join(staging, newUuid());
      await writeStaged(path, bytes);
      return stagedBlob(path);
    },
    read: (hash) => unlessMissing(readPlainFile(pathOf(hash), limits.storedTextureBytesMax), null),
    has,
    delete: async (hash, isNeeded = async () => false) => {
      const isKept = async () => (await isHeld(hash)) || (await isNeeded());
      if (await isKept()) return;
      const leaving = stagedPath(hash, leavingEnd);
      const left = await unlessMissing(
        rename(pathOf(hash), leaving).then(() => true),
        false,
      );
      if (!left) return;
      // An upload that began before the rename holds its file or has its row by now. One that begins later publishes again.
      if (await isKept()) await putBack(hash, leaving);
      else await rm(leaving, { force: true });
    },
  };
}

/**
 * Clears up after killed processes: half-written files and marks, which are minutes old at most while a process runs, and
 * textures that were being deleted. Those come back, because it is not known whether they are needed; the sweep finds out.
 */
async function clearStaging(
  staging: string,
  putBack: (hash: TextureHash, leaving: string) => Promise<void>,
): Promise<void> {
  const hourAgo = Date.now() - 60 * 60 * 1000;
  for (const name of await readdir(staging)) {
    const path = join(staging, name);
    const hash = name.endsWith(leavingEnd) ? parseTextureHash(name.slice(0, name.indexOf("."))) : null;
    if (hash !== null) {
      await putBack(hash, path);
      continue;
    }
    const entry = await unlessMissing(stat(path), null);
    if (entry !== null && entry.mtimeMs < hourAgo) await rm(path, { force: true });
  }
}

function isFile(path: string): Promise<boolean> {
  return unlessMissing(
    stat(path).then((entry) => entry.isFile()),
    false,
  );
}

async function writeStaged(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeNew(path, bytes);
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")) throw error;
    throw refusals.noSpace(error);
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
