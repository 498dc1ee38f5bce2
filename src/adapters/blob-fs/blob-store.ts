import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobPage, BlobStore, ListedBlob } from "../../domain/ports/blob-store.ts";
import { makeFolder, moveInto, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { newTextureFile, newUuid, parseTextureFile, type TextureFile } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { tidyStaging } from "./earlier-staging.ts";

/** A page of the list ends with the folder that brings it to so many files. */
const listedMin = 1000;
/** The last of the folders, by the first two digits of a hash. */
const lastFolder = 0xff;

/**
 * Texture files in a folder: `<hash's first two digits>/<file>.png`, so that no folder grows past some
 * thousands of entries at a million textures. They are written in `staging/`, which is on the same file
 * system, and get their names when they are whole: what a killed process left half-written is known by its
 * place. Several processes may work on the folder.
 */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const { prepare, ...blobs } = blobFolder(folder);
  await prepare();
  return blobs;
}

/** The same store, which touches nothing before `prepare` has made what is missing and cleared up. */
export function blobFolder(folder: string): BlobStore & { readonly prepare: () => Promise<void> } {
  const staging = join(folder, "staging");
  const pathOf = (file: TextureFile) => join(folder, pathInFolder(file));
  const makeTogether = folderMaker();
  const store = async (file: TextureFile, bytes: Uint8Array): Promise<void> => {
    const staged = join(staging, nameOf(file));
    await writeNew(staged, bytes);
    try {
      await makeTogether(dirname(pathOf(file)));
      await moveInto(staged, pathOf(file));
    } catch (error) {
      await rm(staged, { force: true });
      throw error;
    }
  };

  return {
    prepare: async () => {
      await makeFolder(staging);
      await tidyStaging(staging, pathOf);
    },
    lingerSeconds: 0,
    strandedSeconds: limits.uploadSecondsMax,
    put: async (hash, bytes) => {
      const file = newTextureFile(hash);
      await needingSpace(store(file, bytes));
      return file;
    },
    read: (file) => readTextureFile(pathOf(file)),
    delete: async (file) => {
      await Promise.all([pathOf(file), join(staging, nameOf(file))].map((path) => rm(path, { force: true })));
    },
    list: (after) => listFiles(folder, after),
    probe: async () => {
      const path = join(staging, newUuid());
      await needingSpace(writeNew(path, new Uint8Array(1)));
      await rm(path, { force: true });
    },
  };
}

function nameOf(file: TextureFile): string {
  return `${file}.png`;
}

/** The path of a texture's file in the folder. */
export function pathInFolder(file: TextureFile): string {
  return join(file.slice(0, 2), nameOf(file));
}

/** The texture's file that has this name on disk; null for any other name. */
export function fileOfName(name: string): TextureFile | null {
  return name.endsWith(".png") ? parseTextureFile(name.slice(0, -".png".length)) : null;
}

/**
 * Begins with what is on its way, in `staging/`. A place is the first two digits of the last folder that was
 * listed.
 */
export async function listFiles(folder: string, after: string | null): Promise<BlobPage> {
  const files = after === null ? await filesIn(join(folder, "staging")) : [];
  for (let digits = after === null ? 0 : Number.parseInt(after, 16) + 1; digits <= lastFolder; digits++) {
    const name = digits.toString(16).padStart(2, "0");
    files.push(...(await filesIn(join(folder, name))));
    if (files.length >= listedMin && digits < lastFolder) return { files, next: name };
  }
  return { files, next: null };
}

async function filesIn(folder: string): Promise<ListedBlob[]> {
  const names = await unlessMissing(readdir(folder), []);
  return names.flatMap((name) => {
    const file = fileOfName(name);
    return file === null ? [] : [{ file, storedAt: () => changedAt(join(folder, name)) }];
  });
}

async function changedAt(path: string): Promise<number | null> {
  const entry = await unlessMissing(stat(path), null);
  return entry?.isFile() === true ? Math.floor(entry.mtimeMs / 1000) : null;
}

/**
 * Makes folders. An upload that needs a folder which another upload is making waits until the folder's name
 * is durable.
 */
function folderMaker(): (folder: string) => Promise<void> {
  const underway = new Map<string, Promise<void>>();
  return (folder) => {
    const making = underway.get(folder) ?? makeFolder(folder).finally(() => underway.delete(folder));
    underway.set(folder, making);
    return making;
  };
}

/**
 * Null where nothing is. A folder or a far too large file in its place is a fault of ours, not of the client
 * who wants a picture.
 */
export async function readTextureFile(path: string): Promise<Uint8Array | null> {
  try {
    return await unlessMissing(readPlainFile(path, limits.storedTextureBytesMax), null);
  } catch (error) {
    throw error instanceof AppError ? new Error(error.message) : error;
  }
}

/** Fails with no_space on a full disk. */
export async function needingSpace(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")) throw error;
    throw refusals.noSpace({ cause: error });
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
