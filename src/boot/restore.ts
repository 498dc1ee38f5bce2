import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { openStaging } from "../adapters/data-folder/staging.ts";
import { isSwapCutOff, swapIn, waitingPath } from "../adapters/data-folder/swap.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { checkSchema, openCopy } from "../adapters/sqlite/database-copy.ts";
import { takeFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
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

/**
 * Puts a backup into the data folder once all of it is verified, and what was there aside. A folder that was put aside
 * can be put back the same way. Nobody else may use the data folder meanwhile.
 */
export async function restoreFrom(
  config: Config,
  source: string,
  options: { readonly secrets: SecretsChoice; readonly progress: Progress },
): Promise<RestoreReport> {
  const { dataDir } = config;
  await makeDataFolder(config);
  using _taken = takeFolder(dataDir);
  if (isSwapCutOff(dataDir) && source !== waitingPath(dataDir)) throw restoreCutOff(config);
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  if (statSync(source).isDirectory()) {
    if (!existsSync(join(source, "cloakroom.db")))
      throw new AppError("invalid", "the folder holds no database");
    return { manifest: null, before: (await swapIn(dataDir, source, aside)) ? aside : null };
  }
  const unpacked = join(dataDir, "unpacking");
  await using staging = await openStaging(unpacked, openCopy);
  const deps = { archives: tarZstd, staging, sealing: passphraseSealing, checkSchema, ...options };
  const manifest = await unpackBackup(deps, source, options.secrets).catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `${source}: ${cause.message}`, { cause });
  });
  return { manifest, before: (await swapIn(dataDir, unpacked, aside)) ? aside : null };
}
