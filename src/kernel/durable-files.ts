/**
 * Writes to disk that survive a power cut. A file's bytes and its name in a folder are made durable
 * separately.
 */
import { link, mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf } from "./errors.ts";

type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a new file that only its owner may read (0600). On failure it removes the file and throws the
 * system's error. The bytes are durable; the name is only after `moveInto`, or once its folder is synced.
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

/** Renames a file or folder on the same disk, durably. A file that has the name is replaced. */
export async function moveInto(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/**
 * Renames a file on the same disk, durably. Fails with the system's EEXIST if anything has the name, and
 * leaves it alone.
 */
export async function moveAsNew(from: string, to: string): Promise<void> {
  if (await isLinked(from, to)) {
    await rm(from);
  } else {
    // An empty file keeps the name meanwhile.
    await (await open(to, "wx", 0o600)).close();
    try {
      await rename(from, to);
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    }
  }
  await syncFolder(dirname(to));
}

/** Gives a file a second name. False where the file system has no hard links; they say so in many ways. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    return false;
  }
}

/**
 * Makes a folder that only its owner may use (0700), and its missing parents, durably. An existing folder
 * stays as it is.
 */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let parent = dirname(resolve(folder)); ; parent = dirname(parent)) {
    await syncFolder(parent);
    if (parent.length <= top.length) return;
  }
}

/**
 * Makes the names in the folder durable. Windows cannot open folders; its file system journals their entries.
 */
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
