import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { folderLabel } from "../adapters/blob-fs/folder-label.ts";
import { filesToRestore } from "../adapters/data-folder/kept-files.ts";
import { openStaging } from "../adapters/data-folder/staging.ts";
import { finishSwap, swapIn, waitingPath } from "../adapters/data-folder/swap.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { checkSchema, openCopy } from "../adapters/sqlite/database-copy.ts";
import { hasLock, takeFolder } from "../adapters/sqlite/folder-lock.ts";
import type { LoadedConfig } from "../boot/config.ts";
import { dataFolder, interruptedRestore, makeDataFolder } from "../boot/data-folder.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import { measureRoom, verifyStaged, type TextureCounts } from "../domain/backup/staged-folder.ts";
import { unpackBackup, type Authenticity, type UnpackChoice } from "../domain/backup/unpack-backup.ts";
import type { Progress } from "../domain/backup/progress.ts";
import type { StagedFolder } from "../domain/ports/backup-ports.ts";
import { newId } from "../domain/textures/place.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";
import { unusableFiles } from "./start-files.ts";

export type RestoreReport = {
  /** Null if the source was a folder or an interrupted restore: neither has a manifest. */
  readonly manifest: Manifest | null;
  /** Null likewise. */
  readonly authenticity: Authenticity | null;
  /** Null if an interrupted restore was finished, which had been verified before. */
  readonly textures: TextureCounts | null;
  /** Files of a folder that no backup contains. */
  readonly leftOut: readonly string[];
  /**
   * Where the previous contents are; null if the folder was empty. Restoring this folder undoes the restore.
   */
  readonly before: string | null;
};

export type RestoreOptions = {
  readonly choice: UnpackChoice;
  /** Whether no other database uses the place that textures go to. */
  readonly takesOver: boolean;
  readonly progress: Progress;
  /** Stops it, with its reason, until the first file is replaced. */
  readonly signal: AbortSignal;
};

/**
 * Verifies all of a backup, moves the previous contents of the data folder aside, and moves the backup's
 * contents in. A folder that was moved aside can be restored the same way; it is copied and stays. No other
 * process may use the data folder meanwhile. Where the settings name PostgreSQL it fills an empty database
 * and replaces nothing.
 */
export async function restoreFrom(
  loaded: LoadedConfig,
  source: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { dataDir: path, database } = loaded.config;
  const folder = dataFolder(path);
  await makeDataFolder(folder);
  using _taken = takeFolder(path);
  if (database === null && folder.isRestoreInterrupted()) {
    if (source !== waitingPath(path)) throw interruptedRestore(folder);
    const before = await finishSwap(path);
    return { manifest: null, authenticity: null, textures: null, leftOut: [], before };
  }
  using _source = takeSource(source, path);
  await using staging = await openStaging(path, { openDatabase: openCopy, signal: options.signal });
  const staged = await stageUsable(loaded, staging, source, options).catch((cause: unknown) => {
    if (options.signal.aborted || !(cause instanceof AppError)) throw cause;
    throw new PlainError(cause.kind, `${source}: ${cause.message}`, { cause });
  });
  await staging.settle();
  options.signal.throwIfAborted();
  if (database !== null) {
    const { restoreElsewhere } = await import("./restore-elsewhere.ts");
    await restoreElsewhere(loaded, database, { staged: staging.path, options });
    return { ...staged, before: null };
  }
  const label = await placeTextures(loaded, staging.path, options);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const before = await swapIn(path, staging.path, join(path, `before-restore-${stamp}`)).catch(
    (cause: unknown) => {
      throw folder.isRestoreInterrupted() ? interruptedRestore(folder, cause) : cause;
    },
  );
  // Last, so that an interrupted restore can be repeated. A start writes a missing label. A label of another
  // database, which --take-over allowed, is refused until fsck --take-over or this restore with it.
  await label();
  return { ...staged, before };
}

/**
 * Gives the textures of a verified, unpacked folder their place, whose id its database gets. Resolves to what
 * labels the place once the database is in use.
 */
async function placeTextures(
  loaded: LoadedConfig,
  staged: string,
  options: RestoreOptions,
): Promise<() => Promise<void>> {
  if (loaded.config.blobs !== null) {
    const { storeTextures } = await import("./restore-elsewhere.ts");
    return await storeTextures(loaded, staged, options);
  }
  const unpacked = dataFolder(staged);
  const place = folderLabel(unpacked.textures);
  const id = newId(place);
  using database = openCopy(unpacked.database);
  const community = database.setPlace(id);
  // The label goes along with the folder. A start takes the textures of an older schema over by itself.
  if (community !== null) await place.replaceLabel(id, community);
  return () => Promise.resolve();
}

/** Locks a source that is a data folder: the database and its log must be copied at the same moment. */
function takeSource(source: string, dataDir: string): Disposable | null {
  const found = statSync(source);
  if (!found.isDirectory()) {
    requirePlainFile(source, found);
    return null;
  }
  if (realpathSync(source) === realpathSync(dataDir))
    throw new PlainError("invalid", `${source} is the data folder itself`);
  return hasLock(source) ? takeFolder(source) : null;
}

type Staged = Omit<RestoreReport, "before">;

/** Fails with invalid for files that would keep the next start from serving. */
async function stageUsable(
  loaded: LoadedConfig,
  staging: StagedFolder & { readonly path: string },
  source: string,
  options: RestoreOptions,
): Promise<Staged> {
  const staged = await stage(staging, source, options);
  const unusable = await unusableFiles(staging.path, loaded);
  if (unusable.length === 0) return staged;
  const cures = [
    "take another backup",
    ...(unusable.every(({ isSecret }) => isSecret)
      ? ["keep the data folder's own secrets with --without-secrets"]
      : []),
    "or unpack this one, put that right and restore the folder",
  ];
  const messages = unusable.map(({ message }) => message).join("; ");
  throw new PlainError(
    "invalid",
    `no server would start with it: ${messages}. Nothing was replaced: ${cures.join(", ")}`,
  );
}

async function stage(staging: StagedFolder, source: string, options: RestoreOptions): Promise<Staged> {
  const deps = { archives: tarZstd, staging, sealing: passphraseSealing, checkSchema, ...options };
  if (!statSync(source).isDirectory()) {
    const { manifest, authenticity } = await unpackBackup(deps, source, options.choice);
    return { manifest, authenticity, textures: manifest.textures, leftOut: [] };
  }
  const leftOut = await copyFolder(staging, source, options);
  // Lost textures are reported and do not prevent the restore: they may have been lost before the folder was
  // moved aside.
  const { textures } = await verifyStaged(deps, null);
  return { manifest: null, authenticity: null, textures, leftOut };
}

/** Copies those files of a folder that a backup would contain, and returns the names of the others. */
async function copyFolder(
  staging: StagedFolder,
  source: string,
  { progress, choice }: RestoreOptions,
): Promise<readonly string[]> {
  const { files, leftOut } = await filesToRestore(source);
  if (files[0]?.name !== "cloakroom.db") throw new PlainError("invalid", "the folder holds no database");
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
