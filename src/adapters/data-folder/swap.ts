import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder, moveInto, syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { PlainError } from "../../kernel/errors.ts";
import { readPlainText } from "../../kernel/plain-files.ts";

const database = "cloakroom.db";
/** What a restore replaces even when the backup has no such part, the database first. */
const always = [
  database,
  `${database}-wal`,
  `${database}-shm`,
  "textures",
  "default-skins",
  "mail-templates",
];

/** Notes beside the waiting content, so that an interrupted swap can continue. */
const notes = {
  /** Holds the name of the quarantine folder for the replaced content. */
  aside: "put-aside-in",
  /** Everything is in quarantine: what the data folder holds from now on was moved in. */
  emptied: "all-is-put-aside",
} as const;

/** A note holds the name of a folder. */
const noteBytesMax = 4096;

/**
 * Where complete, verified content waits to be moved in: inside the data folder, which may be a mount point
 * that cannot be renamed.
 */
export function waitingPath(dataDir: string): string {
  return join(dataDir, "restoring");
}

/** True when a swap was interrupted: the database is moved in last. */
export function isSwapInterrupted(dataDir: string): boolean {
  return existsSync(join(waitingPath(dataDir), database));
}

/**
 * Moves the content of the folder `source` into the data folder, and what it replaces into the quarantine
 * folder `aside`. Secrets are replaced only by secrets. When a step fails, the steps before are undone; when
 * that fails as well, the swap counts as interrupted. Resolves to the quarantine folder; null when nothing
 * was replaced.
 */
export async function swapIn(dataDir: string, source: string, aside: string): Promise<string | null> {
  const waiting = waitingPath(dataDir);
  await clearAway(waiting);
  await writeNote(source, notes.aside, basename(aside));
  await moveInto(source, waiting);
  try {
    return await finishSwap(dataDir);
  } catch (error) {
    // The quarantine folder is removed once every step is undone. Until then the waiting database may be the
    // only one.
    if (!existsSync(aside)) await rename(waiting, source);
    throw error;
  }
}

/** Continues an interrupted swap, from whatever step. */
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
      // The note is removed between two syncs: while it is there, the data folder holds what was moved in.
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

/** Removes what a swap leaves that is interrupted after its last step. */
async function clearAway(waiting: string): Promise<void> {
  if (!existsSync(waiting)) return;
  for (const note of Object.values(notes)) await rm(join(waiting, note), { force: true });
  if (await removeEmpty(waiting)) return;
  throw new PlainError(
    "conflict",
    `${waiting} holds files that are not from a restore: move it away, and try again`,
  );
}

/** Removes the folder if it is empty, and returns whether it was. Foreign files stay. */
async function removeEmpty(folder: string): Promise<boolean> {
  const isEmpty = (await readdir(folder)).length === 0;
  if (isEmpty) await rmdir(folder);
  return isEmpty;
}

async function writeNote(folder: string, name: string, text: string): Promise<void> {
  await writeNew(join(folder, name), text);
  await syncFolder(folder);
}
