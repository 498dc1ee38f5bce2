import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupTarget } from "../../domain/ports/backup-ports.ts";
import { moveInto } from "../../kernel/durable-files.ts";
import { codeOf } from "../../kernel/errors.ts";

const workPrefix = ".cloakroom-backup-";

/**
 * Distinguishes running work from leftovers: the system releases a process's lock however the process ends.
 */
export type WorkLock = {
  /** Creates the lock's file in the folder and holds a shared lock until disposed of. */
  readonly use: (folder: string) => Disposable;
  /** Holds an exclusive lock. Throws while another process holds the lock. */
  readonly take: (folder: string) => Disposable;
};

/** Backups in a folder. A missing folder holds none. */
export function backupFolder(folder: string): BackupTarget {
  return {
    put: async (path, name) => {
      await moveInto(path, join(folder, name));
      return join(folder, name);
    },
    list: () => namesIn(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/**
 * Opens a folder (0700) for unfinished work on the same disk, removed when disposed of. Also removes what
 * killed processes left.
 */
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

/**
 * Releases the lock at once, because Windows cannot remove an open file; no process continues another's work.
 */
async function isLeft(path: string, lock: WorkLock): Promise<boolean> {
  try {
    // With only the lock's file in it, the folder is just being made, and its lock may not be held yet.
    if ((await readdir(path)).length <= 1) return false;
    lock.take(path)[Symbol.dispose]();
    return true;
  } catch {
    // Held, removed meanwhile or another user's.
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
