import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder, moveInto, syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { AppError } from "../../kernel/errors.ts";
import { readPlainText } from "../../kernel/plain-files.ts";

const database = "cloakroom.db";
/** What a backup replaces even when it has no such thing itself, the database first. */
const always = [
  database,
  `${database}-wal`,
  `${database}-shm`,
  "textures",
  "default-skins",
  "mail-templates",
];

/** Beside what waits, so that a swap that was cut off goes on where it was. */
const notes = {
  /** The name of the folder that takes what was there. */
  aside: "put-aside-in",
  /** All of it is there: what the data folder holds from now on has been moved in. */
  emptied: "all-is-put-aside",
} as const;

/** A note is the name of a folder. */
const noteBytesMax = 4096;

/** Where whole, verified contents wait to be moved in: inside the data folder, which may be a mount point and then cannot be renamed. */
export function waitingPath(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** True when a swap was cut off: the database is moved in last. */
export function isSwapCutOff(dataDir: string): boolean {
  return existsSync(join(waitingPath(dataDir), database));
}

/**
 * Moves what is in the folder `source` into the data folder, and what it replaces into the folder `aside` there. Secrets are
 * replaced only by secrets. When a step fails those before are taken back; when that fails as well, it is a swap that was cut
 * off. Tells where what was there is now; null when nothing was.
 */
export async function swapIn(dataDir: string, source: string, aside: string): Promise<string | null> {
  const waiting = waitingPath(dataDir);
  await clearAway(waiting);
  await writeNote(source, notes.aside, basename(aside));
  await moveInto(source, waiting);
  try {
    return await finishSwap(dataDir);
  } catch (error) {
    // It goes once all is taken back. Until then the database that waits may be the only one.
    if (!existsSync(aside)) await rename(waiting, source);
    throw error;
  }
}

/** Goes on with a swap that was cut off, which may have been at any step. */
export async function finishSwap(dataDir: string): Promise<string | null> {
  const waiting = waitingPath(dataDir);
  const aside = join(dataDir, await readPlainText(join(waiting, notes.aside), noteBytesMax));
  await makeFolder(aside);
  const undo: (() => Promise<void>)[] = [];
  const move = async (name: string, from: string, to: string): Promise<void> => {
    if (!existsSync(join(from, name))) return;
    await rename(join(from, name), join(to, name));
    undo.push(() => rename(join(to, name), join(from, name)));
  };
  try {
    if (!existsSync(join(waiting, notes.emptied))) {
      for (const name of await replacedBy(waiting)) await move(name, dataDir, aside);
      for (const folder of [aside, dataDir]) await syncFolder(folder);
      // Taken back between the two: while the note is there, what is in the data folder has been moved in.
      undo.push(async () => {
        for (const folder of [waiting, dataDir]) await syncFolder(folder);
        await rm(join(waiting, notes.emptied), { force: true });
        await syncFolder(waiting);
      });
      await writeNote(waiting, notes.emptied, "");
    }
    for (const name of [...always.slice(1), "secrets"]) await move(name, waiting, dataDir);
    await syncFolder(dataDir);
    await move(database, waiting, dataDir);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    await removeEmpty(aside);
    throw error;
  }
  await syncFolder(dataDir);
  await clearAway(waiting);
  return (await removeEmpty(aside)) ? null : aside;
}

async function replacedBy(waiting: string): Promise<readonly string[]> {
  return (await readdir(waiting)).includes("secrets") ? [...always, "secrets"] : always;
}

/** What a swap leaves when it is cut off after its last step. */
async function clearAway(waiting: string): Promise<void> {
  if (!existsSync(waiting)) return;
  for (const note of Object.values(notes)) await rm(join(waiting, note), { force: true });
  if (await removeEmpty(waiting)) return;
  throw new AppError("conflict", `${waiting} holds what is no restore's: move it away, and try again`);
}

/** What else somebody put into a folder stays. True when nothing was in it. */
async function removeEmpty(folder: string): Promise<boolean> {
  const isEmpty = (await readdir(folder)).length === 0;
  if (isEmpty) await rmdir(folder);
  return isEmpty;
}

async function writeNote(folder: string, name: string, text: string): Promise<void> {
  await writeNew(join(folder, name), text);
  await syncFolder(folder);
}
