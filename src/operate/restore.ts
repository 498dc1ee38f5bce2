import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { openStaging } from "../adapters/data-folder/staging.ts";
import { filesToRestore } from "../adapters/data-folder/kept-files.ts";
import { finishSwap, isSwapInterrupted, swapIn, waitingPath } from "../adapters/data-folder/swap.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { checkSchema, openCopy } from "../adapters/sqlite/database-copy.ts";
import { hasLock, takeFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import type { StagedFolder } from "../domain/ports/backup-ports.ts";
import { measureRoom, verifyStaged, type TextureCounts } from "../domain/backup/staged-folder.ts";
import { unpackBackup, type Authenticity, type UnpackChoice } from "../domain/backup/unpack-backup.ts";
import type { Progress } from "../domain/backup/write-backup.ts";
import { AppError } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";
import type { Config } from "../boot/config.ts";
import { makeDataFolder, restoreCutOff } from "../boot/data-folder.ts";

export type RestoreReport = {
  /** Null where a folder was put back: it says nothing of itself. */
  readonly manifest: Manifest | null;
  /** Null where a folder was put back, which has no code. */
  readonly authenticity: Authenticity | null;
  /** Null where a restore was finished that had been cut off: it was verified then. */
  readonly textures: TextureCounts | null;
  /** Files of a folder that no backup takes. */
  readonly leftOut: readonly string[];
  /** What was there before; null when nothing was. Restoring this folder is the way back. */
  readonly before: string | null;
};

export type RestoreOptions = {
  readonly choice: UnpackChoice;
  readonly progress: Progress;
  /** Stops it, with its reason, as long as nothing is replaced. */
  readonly signal: AbortSignal;
};

/**
 * Puts a backup into the data folder once all of it is verified, and what was there aside. A folder that was put aside
 * can be put back the same way, and stays. Nobody else may use the data folder meanwhile.
 */
export async function restoreFrom(
  config: Config,
  source: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { dataDir } = config;
  await makeDataFolder(config);
  using _taken = takeFolder(dataDir);
  if (isSwapInterrupted(dataDir)) {
    if (source !== waitingPath(dataDir)) throw restoreCutOff(config);
    const before = await finishSwap(dataDir);
    return { manifest: null, authenticity: null, textures: null, leftOut: [], before };
  }
  using _source = takeSource(source, dataDir);
  await using staging = await openStaging(dataDir, { openDatabase: openCopy, signal: options.signal });
  const staged = await stage(staging, source, options).catch((cause: unknown) => {
    if (options.signal.aborted || !(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `${source}: ${cause.message}`, { cause });
  });
  await staging.settle();
  options.signal.throwIfAborted();
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const aside = join(dataDir, `before-restore-${stamp}`);
  const before = await swapIn(dataDir, staging.path, aside).catch((cause: unknown) => {
    throw isSwapInterrupted(dataDir) ? restoreCutOff(config, cause) : cause;
  });
  return { ...staged, before };
}

/** A folder that is copied while somebody writes to it would give a database and a log of two moments. */
function takeSource(source: string, dataDir: string): Disposable | null {
  const found = statSync(source);
  if (!found.isDirectory()) {
    requirePlainFile(source, found);
    return null;
  }
  if (realpathSync(source) === realpathSync(dataDir))
    throw new AppError("invalid", `${source} is the data folder itself`);
  return hasLock(source) ? takeFolder(source) : null;
}

type Staged = Omit<RestoreReport, "before">;

async function stage(staging: StagedFolder, source: string, options: RestoreOptions): Promise<Staged> {
  const deps = { archives: tarZstd, staging, sealing: passphraseSealing, checkSchema, ...options };
  if (!statSync(source).isDirectory()) {
    const { manifest, authenticity } = await unpackBackup(deps, source, options.choice);
    return { manifest, authenticity, textures: manifest.textures, leftOut: [] };
  }
  const leftOut = await copyFolder(staging, source, options);
  // It may be the way back to what has lost textures long since: those are told of and keep nobody from going there.
  const { textures } = await verifyStaged(deps, null);
  return { manifest: null, authenticity: null, textures, leftOut };
}

/** Copies what a backup would hold of a folder, which stays as it is. Tells what it would not. */
async function copyFolder(
  staging: StagedFolder,
  source: string,
  { progress, choice }: RestoreOptions,
): Promise<readonly string[]> {
  const { files, leftOut } = await filesToRestore(source);
  if (files[0]?.name !== "cloakroom.db") throw new AppError("invalid", "the folder holds no database");
  const isTaken = (name: string) => choice.takesSecrets || !name.startsWith("secrets/");
  const taken = files.filter(({ name }) => isTaken(name));
  const room = await measureRoom(staging);
  for (const { bytes } of taken) room.add(bytes);
  room.refuseTooLittle();
  for (const [done, { name }] of taken.entries()) {
    progress("copying", done, taken.length);
    await staging.write(name, Bun.file(join(source, name)).stream());
  }
  return leftOut.filter(isTaken);
}
