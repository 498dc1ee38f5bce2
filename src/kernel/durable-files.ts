/** Writing to disk so that a power cut cannot undo it: a file's bytes are one thing, its name in a folder another. */
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";

type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a new file for its owner alone (0600). What cannot be written whole is removed, and the system's error thrown. The
 * bytes last; the name does once it is moved by `moveInto`, or its folder synced.
 */
export async function writeNew(path: string, content: Content): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await fill(file, content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Gives a file or folder its name on the same disk, for good; a file that has it is replaced. */
export async function moveInto(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes a folder for its owner alone (0700), with those above it, for good. One that is there stays as it is. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let parent = dirname(resolve(folder)); ; parent = dirname(parent)) {
    await syncFolder(parent);
    if (parent.length <= top.length) return;
  }
}

/** Makes the names in the folder last. Windows cannot open folders; its file system keeps their entries in its journal. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}

async function fill(opened: FileHandle, content: Content): Promise<void> {
  await using file = opened;
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  for await (const piece of isWhole ? [content] : content) await file.writeFile(piece);
  await file.sync();
}
