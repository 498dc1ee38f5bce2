/** Writing to disk so that a power cut cannot undo it: a file's bytes are one thing, its name in a folder another. */
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the names in the folder survive a power cut. Windows cannot open folders; its file system keeps their entries in its journal. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** Gives a file or folder its name on the same disk, for good; a file that has it is replaced. */
export async function moveInto(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}
