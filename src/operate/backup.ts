import { dirname, join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { bucketTarget } from "../adapters/backup-s3/bucket-target.ts";
import { backupFolder, openWorkFolder } from "../adapters/data-folder/backup-folder.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { openCopy } from "../adapters/sqlite/database-copy.ts";
import { takeFolder, useFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Config } from "../boot/config.ts";
import type { Secret } from "../boot/secrets.ts";
import { version } from "../boot/version.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import { sealSecrets } from "../domain/backup/sealed-secrets.ts";
import { backupName, pruneBackups, type Pruned } from "../domain/backup/retention.ts";
import type { Progress } from "../domain/backup/progress.ts";
import { writeBackup } from "../domain/backup/write-backup.ts";
import type { BackupTarget, KeptFile } from "../domain/ports/backup-ports.ts";
import { makeFolder } from "../kernel/durable-files.ts";
import { PlainError } from "../kernel/errors.ts";
import { freePath, looksLikeArchive, moveToPlace, type FilePlace } from "./archive-place.ts";
import { openBackupSource, type BackupSource } from "./backup-source.ts";

export type BackupOptions = {
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
  /** The names of the secrets that it holds: `jwt-secret`. */
  readonly secrets: readonly string[];
  /** Files that no backup contains, and parts of the database that could not be read. */
  readonly leftOut: readonly string[];
  /** Parts of the database's schema that the migrations did not make: a restore refuses them. */
  readonly schemaFaults: readonly string[];
  /** Changes to other backups; empty when the backup goes to a file. */
  readonly others: Pruned;
};

/** How a backup marks the folder it works in as occupied. */
export const backupLock = { use: useFolder, take: takeFolder };

/** Makes a verified backup at the place. Servers may be writing meanwhile. */
export async function backUpTo(
  config: Config,
  place: FilePlace,
  options: BackupOptions,
): Promise<BackupReport> {
  await using source = await openBackupSource(config);
  return await writeTo(source, place, options);
}

async function writeTo(
  source: BackupSource,
  place: FilePlace,
  options: BackupOptions,
): Promise<BackupReport> {
  const path = await freePath(place, { is: "backup", looksRight: looksLikeArchive });
  await using work = await openWorkFolder(dirname(path), backupLock);
  const copyPath = join(work.path, "cloakroom.db");
  const lacking = await source.copyTo(copyPath, options);
  using copy = openCopy(copyPath);
  const { files, leftOut } = await source.readFiles();
  const secrets = options.withSecrets ? files.filter(({ folder }) => folder === "secrets") : [];
  const others = files.filter(({ folder }) => folder !== "secrets");
  const content = await contentOf({ secrets, others }, options);
  const archive = join(work.path, "archive");
  const { live, blobs } = source;
  const manifest = await writeBackup({ ...options, copy, live, blobs, archives: tarZstd }, archive, content);
  await moveToPlace(archive, { path, replaces: place.replaces });
  const schemaFaults = copy.schemaFaults();
  return {
    place: path,
    bytes: Bun.file(path).size,
    manifest,
    secrets: secrets.map(({ name }) => name),
    leftOut: [...lacking, ...leftOut],
    schemaFaults,
    others: { removed: [], fromFuture: [], notRemoved: null },
  };
}

/** Makes a backup where the settings put scheduled ones, and removes the oldest beyond BACKUP_KEEP. */
export async function backUpToTarget(config: Config, options: BackupOptions): Promise<BackupReport> {
  await using source = await openBackupSource(config);
  const { dir, keep } = config.backup;
  await makeFolder(dir);
  const target = openBackupTarget(config.backup);
  // Listed first: a refusal comes before the work, and in the service's words. Bun has no message for an
  // upload that cannot begin.
  const names = await target.list();
  if (names.length > 0 && !(await source.hasAccounts())) refuseEmpty(config);
  await using work = await openWorkFolder(dir, backupLock);
  const finished = { path: join(work.path, "finished"), replaces: false };
  const report = await writeTo(source, finished, options);
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

/**
 * An empty database with backups is a lost community. Its own backups would replace the good ones, one each
 * night.
 */
function refuseEmpty({ dataDir, database }: Config): never {
  const [place, hint] =
    database === null
      ? [dataDir, "is DATA_DIR right, and its disk there?"]
      : ["the database", "is DATABASE_URL right?"];
  throw new PlainError(
    "conflict",
    `${place} holds no account, but there are backups: ${hint} Restore one of them, or name a file to back this up`,
  );
}

type Parts = { readonly secrets: readonly KeptFile[]; readonly others: readonly KeptFile[] };

async function contentOf({ secrets, others }: Parts, { passphrase }: Pick<BackupOptions, "passphrase">) {
  const about = { program: version, created: new Date().toISOString() };
  if (passphrase === null)
    return { ...about, files: [...others, ...secrets], sealedSecrets: null, authenticate: null };
  const words = passphrase.reveal();
  const sealedSecrets = secrets.length === 0 ? null : await sealSecrets(passphraseSealing, secrets, words);
  const authenticate = (text: string) => passphraseSealing.authenticate(text, words);
  return { ...about, files: others, sealedSecrets, authenticate };
}
