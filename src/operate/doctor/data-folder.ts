import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { freeSpaceOf } from "../../adapters/blob-fs/free-space.ts";
import { stagingPath } from "../../adapters/data-folder/staging.ts";
import { hasLock, useFolder } from "../../adapters/sqlite/folder-lock.ts";
import {
  findCreationFault,
  foreignRoot,
  interruptedRestore,
  unfinishedMove,
  type DataFolder,
} from "../../boot/data-folder.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { checkAccess } from "./folder-access.ts";
import { failure, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

const freeBytesLow = 1024 * 1024 * 1024;

/**
 * The owner of the data folder, who else can read it, whether it can be written, and what restores left in
 * it.
 */
export async function* checkDataFolder({ folder }: Subject): AsyncIterable<Finding> {
  const { path } = folder;
  if (!existsSync(path)) {
    const fault = await findCreationFault(folder);
    if (fault !== null) {
      yield failure(reasonOf(fault), fault);
      return;
    }
    yield warning(
      `${path} does not exist yet`,
      "the first start creates it; check DATA_DIR if there was one",
    );
    return;
  }
  const found = await stat(path);
  if (!found.isDirectory()) {
    yield problem(`${path} is a file`, "set DATA_DIR to a folder, or move the file away");
    return;
  }
  const foreign = foreignRoot(folder);
  if (foreign !== null) yield failure(foreign.message, foreign);
  yield* checkAccess(folder);
  const unwritable = await Array.fromAsync(findUnwritable(folder));
  yield* unwritable;
  if (folder.isRestoreInterrupted())
    yield problem("a restore was interrupted", interruptedRestore(folder).message);
  if (folder.isMoveUnfinished())
    yield problem("a move into it was interrupted", unfinishedMove(folder).message);
  const refusal = lockRefusal(path);
  const isRestoring = refusal instanceof AppError && refusal.kind === "conflict";
  if (isRestoring) return;
  if (refusal !== null && unwritable.length === 0)
    yield problem(
      `its file lock cannot be used: ${reasonOf(refusal)}`,
      "move it away: the next start makes a new one",
    );
  const unpacked = stagingPath(path);
  if (existsSync(unpacked))
    yield warning(
      `a restore that was killed left ${unpacked}: a second copy of everything, secrets included`,
      "the next start of the server removes it, and so does the next restore",
    );
}

/**
 * Why a command cannot hold the lock of the folder: a restore is running, or the file is no lock. Null if it
 * can.
 */
export function lockRefusal(path: string): Error | null {
  if (!hasLock(path)) return null;
  try {
    useFolder(path)[Symbol.dispose]();
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

/** A command that another user ran may have left files of the database that this user cannot write. */
async function* findUnwritable({ path, database, textures }: DataFolder): AsyncIterable<Finding> {
  const folders = [path, textures, join(textures, "staging")];
  for (const one of [...folders, database, `${database}-wal`, `${database}-shm`]) {
    const wanted = constants.R_OK | constants.W_OK | (folders.includes(one) ? constants.X_OK : 0);
    const fault = await access(one, wanted).then(
      () => null,
      (cause: unknown) => (codeOf(cause) === "ENOENT" ? null : reasonOf(cause)),
    );
    if (fault !== null)
      yield problem(
        `it cannot be written: ${fault}`,
        "check its owner, its mode and how the disk is mounted",
      );
  }
}

/** Free space on the data folder's disk, and on that of the textures if they have one of their own. */
export async function* checkDisk({ folder }: Subject): AsyncIterable<CodedFinding> {
  const place = existsSync(folder.path) ? folder.path : ".";
  const database = Bun.file(folder.database).size;
  for (const { folder: disk, bytes } of await freeSpaceOf(place, folder.textures))
    yield disk === "data" ? aboutDataDisk(bytes, database) : aboutTextureDisk(bytes);
}

function aboutDataDisk(free: number, database: number): CodedFinding {
  if (free < limits.diskBytesFreeMin) return found("disk_full", { free });
  if (free >= Math.max(freeBytesLow, 2 * database)) return found("disk_free", { free });
  return found("disk_low", { free, database });
}

function aboutTextureDisk(free: number): CodedFinding {
  if (free < limits.diskBytesFreeMin) return found("texture_disk_full", { free });
  return found(free < freeBytesLow ? "texture_disk_low" : "texture_disk_free", { free });
}
