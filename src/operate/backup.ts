import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { bucketTarget } from "../adapters/backup-s3/bucket-target.ts";
import { backupFolder, openWorkFolder } from "../adapters/data-folder/backup-folder.ts";
import { readKeptFiles } from "../adapters/data-folder/kept-files.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { copyDatabase, openCopy, openLiveRows } from "../adapters/sqlite/database-copy.ts";
import { takeFolder, useFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Config } from "../boot/config.ts";
import type { DataFolder } from "../boot/data-folder.ts";
import type { Secret } from "../boot/secrets.ts";
import { version } from "../boot/version.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import { sealSecrets } from "../domain/backup/sealed-secrets.ts";
import { backupName, pruneBackups, type Pruned } from "../domain/backup/retention.ts";
import { writeBackup, type Progress } from "../domain/backup/write-backup.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { BackupTarget, KeptFile } from "../domain/ports/backup-ports.ts";
import { makeFolder, moveInto } from "../kernel/durable-files.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";

export type BackupOptions = {
  /** Where the textures are. */
  readonly textures: Pick<BlobStore, "read">;
  readonly withSecrets: boolean;
  /** Encrypts the secrets, and lets a restore see whether the backup was changed. Null: neither. */
  readonly passphrase: Secret | null;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

export type BackupReport = {
  /** Where the backup is: a path, or `s3://bucket/name`. */
  readonly place: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Files beside the database that no backup contains. */
  readonly leftOut: readonly string[];
  /** Parts of the database's schema that the migrations did not make: a restore refuses them. */
  readonly schemaFaults: readonly string[];
  /** Changes to other backups; empty when the backup goes to a file. */
  readonly others: Pruned;
};

/** How a backup marks the folder it works in as occupied. */
export const backupLock = { use: useFolder, take: takeFolder };

/** Makes a verified backup at the path, replacing a backup that is there. A server may be writing meanwhile. */
export async function backUpTo(
  folder: DataFolder,
  path: string,
  options: BackupOptions,
): Promise<BackupReport> {
  refuseNothing(folder);
  await refuseOther(path);
  using _used = useFolder(folder.path);
  await using work = await openWorkFolder(dirname(path), backupLock);
  const copyPath = join(work.path, "cloakroom.db");
  copyDatabase(folder.database, copyPath);
  using copy = openCopy(copyPath);
  using live = openLiveRows(folder.database);
  const { files, leftOut } = await readKeptFiles(folder.path);
  const content = await contentOf(files, options);
  const deps = { ...options, copy, live, blobs: options.textures, archives: tarZstd };
  const archive = join(work.path, "archive");
  const manifest = await writeBackup(deps, archive, content);
  await moveInto(archive, path);
  const others = { removed: [], fromFuture: [], notRemoved: null };
  const schemaFaults = copy.schemaFaults();
  return { place: path, bytes: Bun.file(path).size, manifest, leftOut, schemaFaults, others };
}

/** Makes a backup where the settings put scheduled ones, and removes the oldest beyond BACKUP_KEEP. */
export async function backUpToTarget(
  folder: DataFolder,
  settings: Config["backup"],
  options: BackupOptions,
): Promise<BackupReport> {
  refuseNothing(folder);
  const { dir, keep } = settings;
  await makeFolder(dir);
  const target = openBackupTarget(settings);
  // Listed first: a refusal comes before the work, and in the service's words. Bun has no message for an upload that cannot begin.
  const names = await target.list();
  if (names.length > 0) refuseEmpty(folder);
  await using work = await openWorkFolder(dir, backupLock);
  const report = await backUpTo(folder, join(work.path, "finished"), options);
  const { created, textures } = report.manifest;
  const name = backupName(created, textures.lost);
  const place = await target.put(report.place, name, options.signal);
  const now = Math.floor(Date.now() / 1000);
  return { ...report, place, others: await pruneBackups(target, { put: name, keep, now }) };
}

/** Where scheduled backups are. */
export function openBackupTarget({ bucket, dir }: Config["backup"]): BackupTarget {
  if (bucket === null) return backupFolder(dir);
  return bucketTarget({ ...bucket, secretAccessKey: bucket.secretAccessKey.reveal() });
}

function refuseNothing(folder: DataFolder): void {
  if (folder.hasDatabase()) return;
  throw new AppError("not_found", `${folder.path} holds no database: there is nothing to back up`);
}

/** An empty database beside backups is a lost community. Its own backups would push the good ones out, one each night. */
function refuseEmpty({ path, database }: DataFolder): void {
  using live = openLiveRows(database);
  if (live.hasAccounts()) return;
  throw new AppError(
    "conflict",
    `${path} holds no account, but there are backups: is DATA_DIR right, and its disk there? Restore one of them,` +
      " or name a file to back this up",
  );
}

/** The first bytes of every archive (RFC 8878, 3.1.1). */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** A cheap look at a file: whether it begins as a backup does. */
export async function looksLikeBackup(path: string): Promise<boolean> {
  return zstdMagic.equals(await Bun.file(path).slice(0, zstdMagic.length).bytes());
}

/** Only a backup or an empty file is replaced: a path to anything else, such as the database, is a mistake. */
async function refuseOther(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null;
    throw cause;
  });
  if (found === null) return;
  requirePlainFile(path, found);
  if (found.size === 0 || (await looksLikeBackup(path))) return;
  throw new AppError("conflict", `${path} is there already and is no backup; nothing was written to it`);
}

async function contentOf(files: readonly KeptFile[], { withSecrets, passphrase }: BackupOptions) {
  const secrets = withSecrets ? files.filter(({ folder }) => folder === "secrets") : [];
  const others = files.filter(({ folder }) => folder !== "secrets");
  const about = { program: version, created: new Date().toISOString() };
  if (passphrase === null)
    return { ...about, files: [...others, ...secrets], sealedSecrets: null, authenticate: null };
  const words = passphrase.reveal();
  const sealedSecrets = secrets.length === 0 ? null : await sealSecrets(passphraseSealing, secrets, words);
  const authenticate = (text: string) => passphraseSealing.authenticate(text, words);
  return { ...about, files: others, sealedSecrets, authenticate };
}
