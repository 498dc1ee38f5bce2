import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupShelf } from "../../domain/ports/backup-ports.ts";
import { moveInto } from "../../kernel/durable-files.ts";
import { codeOf } from "../../kernel/errors.ts";

const workPrefix = ".cloakroom-backup-";

/** Tells work that goes on from what was left: the system takes a lock back from a process however that ends. */
export type WorkLock = {
  /** Makes the lock's file in the folder and holds it, as others may, until disposed of. */
  readonly use: (folder: string) => Disposable;
  /** The same, alone. Throws while somebody holds it. */
  readonly take: (folder: string) => Disposable;
};

/** Backups in a folder. One that is not there holds none. */
export function backupFolder(folder: string): BackupShelf {
  return {
    put: async (path, name) => {
      await moveInto(path, join(folder, name));
      return join(folder, name);
    },
    list: () => namesIn(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** A folder for unfinished work on the same disk (0700), gone when the scope ends. Removes what killed processes left. */
export async function openWorkFolder(
  parent: string,
  lock: WorkLock,
): Promise<AsyncDisposable & { readonly path: string }> {
  await removeLeftWork(parent, lock);
  const path = await mkdtemp(join(parent, workPrefix));
  const used = lock.use(path);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      used[Symbol.dispose]();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Removes the work of processes that were killed. */
export async function removeLeftWork(parent: string, lock: WorkLock): Promise<void> {
  for (const name of (await namesIn(parent)).filter((one) => one.startsWith(workPrefix))) {
    const path = join(parent, name);
    if (await isLeft(path, lock)) await rm(path, { recursive: true, force: true });
  }
}

/** Windows removes no file that is open, so the lock is given back at once: nobody takes up the work of another. */
async function isLeft(path: string, lock: WorkLock): Promise<boolean> {
  try {
    // With the lock's file at most in it, it is being made this moment, and nobody may hold it yet.
    if ((await readdir(path)).length <= 1) return false;
    lock.take(path)[Symbol.dispose]();
    return true;
  } catch {
    // Held, gone in between or another user's: none of our business.
    return false;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
