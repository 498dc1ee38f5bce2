import { readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobStore, StagedBlob } from "../../domain/ports/blob-store.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { newUuid, parseTextureHash, type TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import { refusals } from "../../domain/model/refusals.ts";

/** Ends of names in `staging/`, each after `<hash>.<uuid>`: a mark (an empty file) that holds a texture, and a texture being deleted. */
const heldEnd = ".held";
const leavingEnd = ".leaving";

/**
 * Texture files in a folder: `<hash's first two digits>/<hash>.png`, so that no folder grows past some thousands of entries
 * at a million textures. Files are staged in `staging/` on the same file system, because only a rename within one is atomic.
 * Several processes may work on the folder: a file that one holds is not deleted by another.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const places = placesIn(folder);
  const publishedAt = async (hash: TextureHash) => {
    const entry = await unlessMissing(stat(places.pathOf(hash)), null);
    return entry?.isFile() === true ? Math.floor(entry.mtimeMs / 1000) : null;
  };
  const makeTogether = folderMaker();

  await makeFolder(places.staging);
  await removeLeftovers(places);
  return {
    stage: async (bytes) => {
      const path = join(places.staging, newUuid());
      await needingSpace(writeNew(path, bytes));
      return stagedBlob(places, path, makeTogether);
    },
    read: (hash) => readTexture(places.pathOf(hash)),
    has: async (hash) => (await publishedAt(hash)) !== null,
    list: async (digits) => {
      const names = await unlessMissing(readdir(join(folder, digits)), []);
      return names.flatMap((name) => hashOfName(name) ?? []);
    },
    publishedAt,
    removeLeftovers: () => removeLeftovers(places),
    delete: async (hash, isNeeded = async () => false) => {
      if (await isHeld(places, hash)) return;
      const leaving = places.stagedPath(hash, leavingEnd);
      const left = rename(places.pathOf(hash), leaving).then(() => true);
      if (!(await unlessMissing(left, false))) return;
      // An upload that published before the rename holds its file or has its row by now. A later one publishes it again.
      let isKept = true;
      try {
        isKept = (await isHeld(places, hash)) || (await isNeeded());
      } finally {
        if (isKept) await putBack(places, hash, leaving);
        else await rm(leaving, { force: true });
      }
    },
  };
}

type Places = {
  readonly staging: string;
  readonly pathOf: (hash: TextureHash) => string;
  /** A new name in `staging/`. */
  readonly stagedPath: (hash: TextureHash, end: string) => string;
};

function placesIn(folder: string): Places {
  const staging = join(folder, "staging");
  return {
    staging,
    pathOf: (hash) => join(folder, hash.slice(0, 2), `${hash}.png`),
    stagedPath: (hash, end) => join(staging, `${hash}.${newUuid()}${end}`),
  };
}

/** Makes folders. An upload that needs a folder which another upload is making waits until the folder's name is durable. */
function folderMaker(): (folder: string) => Promise<void> {
  const underway = new Map<string, Promise<void>>();
  return (folder) => {
    const making = underway.get(folder) ?? makeFolder(folder).finally(() => underway.delete(folder));
    underway.set(folder, making);
    return making;
  };
}

function stagedBlob(
  { pathOf, stagedPath }: Places,
  path: string,
  makeTogether: (folder: string) => Promise<void>,
): StagedBlob {
  const held: string[] = [];
  const hold = async (hash: TextureHash): Promise<void> => {
    const mark = stagedPath(hash, heldEnd);
    held.push(mark);
    await Bun.write(mark, "", { mode: 0o600 });
  };
  const publish = async (hash: TextureHash): Promise<void> => {
    await hold(hash);
    await makeTogether(dirname(pathOf(hash)));
    await moveInto(path, pathOf(hash));
  };
  return {
    hold: (hash) => needingSpace(hold(hash)),
    publish: (hash) => needingSpace(publish(hash)),
    [Symbol.asyncDispose]: async () => {
      // The transaction may be committed: a file that cannot be removed must not make its answer a fault.
      await Promise.allSettled([path, ...held].map((one) => rm(one, { force: true })));
    },
  };
}

async function isHeld({ staging }: Places, hash: TextureHash): Promise<boolean> {
  return (await readdir(staging)).some((name) => name.startsWith(`${hash}.`) && name.endsWith(heldEnd));
}

/** Restores a texture that was being deleted. A file that was published meanwhile stays. */
async function putBack({ pathOf }: Places, hash: TextureHash, leaving: string): Promise<void> {
  const published = await unlessMissing(stat(pathOf(hash)), null);
  if (published === null) await unlessMissing(moveInto(leaving, pathOf(hash)), undefined);
  await rm(leaving, { force: true });
}

/**
 * Clears up after killed processes. Half-written files and marks are removed once no running upload can have written
 * them. Textures that were being deleted come back, because a row may name them by now; the sweep
 * finds out. If another process is deleting one at this moment, its file stays until the sweep finds it.
 */
async function removeLeftovers(places: Places): Promise<void> {
  const oldest = Date.now() - limits.uploadSecondsMax * 1000;
  for (const name of await readdir(places.staging)) {
    const path = join(places.staging, name);
    const hash = name.endsWith(leavingEnd) ? parseTextureHash(name.slice(0, name.indexOf("."))) : null;
    if (hash !== null) {
      await putBack(places, hash, path);
      continue;
    }
    const entry = await unlessMissing(stat(path), null);
    if (entry !== null && entry.mtimeMs < oldest) await rm(path, { force: true });
  }
}

/** Null where nothing is. A folder or a far too large file in its place is a fault of ours, not of the client who wants a picture. */
async function readTexture(path: string): Promise<Uint8Array | null> {
  try {
    return await unlessMissing(readPlainFile(path, limits.storedTextureBytesMax), null);
  } catch (error) {
    throw error instanceof AppError ? new Error(error.message) : error;
  }
}

/** The texture that a file of this name holds; null for any other name. */
export function hashOfName(name: string): TextureHash | null {
  return name.endsWith(".png") ? parseTextureHash(name.slice(0, -".png".length)) : null;
}

async function needingSpace(writing: Promise<void>): Promise<void> {
  try {
    await writing;
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
