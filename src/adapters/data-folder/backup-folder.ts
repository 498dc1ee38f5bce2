import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BackupShelf } from "../../domain/backup/ports.ts";

const workPrefix = ".cloakroom-backup-";
/** No backup is at work for so long: what is older was left by a process that was killed. */
const leftoverMs = 24 * 60 * 60 * 1000;

/** Backups in a folder, which is made when it is needed. */
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

/** Gives a finished file its name, replacing one that has it, so that a power cut cannot undo it. */
export async function moveInto(from: string, to: string): Promise<void> {
  await rename(from, to);
  if (process.platform === "win32") return;
  await using handle = await open(dirname(to), "r");
  await handle.sync();
}

/** A folder for unfinished work on the same disk (0700), gone when the scope ends. Removes what killed processes left. */
export async function openWorkFolder(parent: string): Promise<AsyncDisposable & { readonly path: string }> {
  for (const name of (await namesIn(parent)).filter((one) => one.startsWith(workPrefix))) {
    const { mtimeMs } = await stat(join(parent, name));
    if (mtimeMs < Date.now() - leftoverMs) await rm(join(parent, name), { recursive: true, force: true });
  }
  const path = await mkdtemp(join(parent, workPrefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Makes the folder for its owner alone. */
export async function makeBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
