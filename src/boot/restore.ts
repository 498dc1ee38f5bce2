import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { openStaging } from "../adapters/data-folder/staging.ts";
import { filesToRestore } from "../adapters/data-folder/kept-files.ts";
import { finishSwap, isSwapCutOff, swapIn, waitingPath } from "../adapters/data-folder/swap.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { checkSchema, openCopy } from "../adapters/sqlite/database-copy.ts";
import { takeFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import type { StagedFolder } from "../domain/backup/ports.ts";
import { unpackBackup, type SecretsChoice } from "../domain/backup/unpack-backup.ts";
import type { Progress } from "../domain/backup/write-backup.ts";
import { AppError } from "../kernel/errors.ts";
import type { Config } from "./config.ts";
import { makeDataFolder, restoreCutOff } from "./data-folder.ts";

export type RestoreReport = {
  /** Null where a folder was put back: it says nothing of itself. */
  readonly manifest: Manifest | null;
  /** What was there before; null when nothing was. Restoring this folder is the way back. */
  readonly before: string | null;
};

export type RestoreOptions = { readonly secrets: SecretsChoice; readonly progress: Progress };

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
  if (isSwapCutOff(dataDir)) {
    if (source !== waitingPath(dataDir)) throw restoreCutOff(config);
    return { manifest: null, before: await finishSwap(dataDir) };
  }
  const unpacked = join(dataDir, "unpacking");
  await using staging = await openStaging(unpacked, openCopy);
  const manifest = await stage(staging, source, options).catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `${source}: ${cause.message}`, { cause });
  });
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  return { manifest, before: await swapIn(dataDir, unpacked, join(dataDir, `before-restore-${stamp}`)) };
}

async function stage(
  staging: StagedFolder,
  source: string,
  options: RestoreOptions,
): Promise<Manifest | null> {
  if (statSync(source).isDirectory()) return stageFolder(staging, source);
  const deps = { archives: tarZstd, staging, sealing: passphraseSealing, checkSchema, ...options };
  return unpackBackup(deps, source, options.secrets);
}

/** Copies what a backup would hold of a folder, and looks at its database as at a backup's. The folder stays as it is. */
async function stageFolder(staging: StagedFolder, source: string): Promise<null> {
  if (!existsSync(join(source, "cloakroom.db")))
    throw new AppError("invalid", "the folder holds no database");
  for (const name of await filesToRestore(source)) {
    await staging.write(name, Bun.file(join(source, name)).stream());
  }
  using database = staging.openDatabase();
  checkSchema(database.schema);
  const [fault] = database.faults();
  if (fault !== undefined) throw new AppError("invalid", `its database is damaged: ${fault}`);
  return null;
}
