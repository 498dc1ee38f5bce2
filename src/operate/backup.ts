import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tarZstd } from "../adapters/archive/tar-zstd.ts";
import { bucketTarget } from "../adapters/backup-s3/bucket-target.ts";
import { backupFolder, openWorkFolder, removeLeftWork } from "../adapters/data-folder/backup-folder.ts";
import { readKeptFiles } from "../adapters/data-folder/kept-files.ts";
import { passphraseSealing } from "../adapters/sealing/passphrase-sealing.ts";
import { copyDatabase, openCopy, openLiveRows } from "../adapters/sqlite/database-copy.ts";
import { takeFolder, useFolder } from "../adapters/sqlite/folder-lock.ts";
import type { Manifest } from "../domain/backup/manifest.ts";
import type { BackupTarget, KeptFile } from "../domain/ports/backup-ports.ts";
import { sealSecrets } from "../domain/backup/sealed-secrets.ts";
import { backupName, pruneBackups, type Pruned } from "../domain/backup/retention.ts";
import { writeBackup, type Progress } from "../domain/backup/write-backup.ts";
import { makeFolder, moveInto } from "../kernel/durable-files.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";
import type { Config } from "../boot/config.ts";
import { databasePath } from "../boot/data-folder.ts";
import { openTextures } from "./fsck.ts";
import type { Secret } from "../boot/secrets.ts";
import { version } from "../boot/version.ts";

export type BackupOptions = {
  readonly withSecrets: boolean;
  /** Seals the secrets, and lets a restore see whether the backup was changed. Null: neither. */
  readonly passphrase: Secret | null;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

export type BackupReport = {
  /** Where it is now: a path, or `s3://bucket/name`. */
  readonly place: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Files beside the database that no backup takes. */
  readonly leftOut: readonly string[];
  /** What in the database's schema is not of our making: a restore refuses it. */
  readonly schemaFaults: readonly string[];
  /** What became of others; of none that go to a file. */
  readonly others: Pruned;
};

const workLock = { use: useFolder, take: takeFolder };

/** Makes a verified backup at the path, replacing a file that is there. A server may be writing meanwhile. */
export async function backUpTo(config: Config, path: string, options: BackupOptions): Promise<BackupReport> {
  refuseNothing(config);
  await refuseOther(path);
  using _used = useFolder(config.dataDir);
  await using work = await openWorkFolder(dirname(path), workLock);
  const copyPath = join(work.path, "cloakroom.db");
  copyDatabase(databasePath(config), copyPath);
  using copy = openCopy(copyPath);
  using live = openLiveRows(databasePath(config));
  const { files, leftOut } = await readKeptFiles(config.dataDir);
  const content = await contentOf(files, options);
  const blobs = openTextures(config);
  const archive = join(work.path, "archive");
  const manifest = await writeBackup({ ...options, copy, live, blobs, archives: tarZstd }, archive, content);
  await moveInto(archive, path);
  const others = { removed: [], fromFuture: [], notRemoved: null };
  const schemaFaults = copy.schemaFaults();
  return { place: path, bytes: Bun.file(path).size, manifest, leftOut, schemaFaults, others };
}

/** Makes a backup where the settings want scheduled ones, and removes those that are too many. */
export async function backUpToShelf(config: Config, options: BackupOptions): Promise<BackupReport> {
  refuseNothing(config);
  const { dir, keep } = config.backup;
  await makeFolder(dir);
  const target = openBackupTarget(config);
  // Who is refused hears it before the work, and in the service's words: for an upload that cannot begin Bun has none.
  const names = await target.list();
  if (names.length > 0) refuseEmpty(config);
  await using work = await openWorkFolder(dir, workLock);
  const report = await backUpTo(config, join(work.path, "finished"), options);
  const { created, textures } = report.manifest;
  const name = backupName(created, textures.lost);
  const place = await target.put(report.place, name, options.signal);
  const now = Math.floor(Date.now() / 1000);
  return { ...report, place, others: await pruneBackups(target, { put: name, keep, now }) };
}

/** Removes what scheduled backups left that were killed: up to a whole copy of the database each. */
export function removeLeftBackups({ backup }: Config): Promise<void> {
  return removeLeftWork(backup.dir, workLock);
}

/** Where scheduled backups are. */
export function openBackupTarget({ backup }: Config): BackupTarget {
  const { bucket, dir } = backup;
  if (bucket === null) return backupFolder(dir);
  return bucketTarget({ ...bucket, secretAccessKey: bucket.secretAccessKey.reveal() });
}

function refuseNothing(config: Config): void {
  if (existsSync(databasePath(config))) return;
  throw new AppError("not_found", `${config.dataDir} holds no database: there is nothing to back up`);
}

/** Where there were backups an empty community is a lost one, whose own would push out one of them each night. */
function refuseEmpty(config: Config): void {
  using live = openLiveRows(databasePath(config));
  if (live.hasAccounts()) return;
  throw new AppError(
    "conflict",
    `${config.dataDir} holds no account, but there are backups: is DATA_DIR right, and its disk there? Restore one of them,` +
      " or name a file to back this up",
  );
}

/** What every archive of ours begins with (RFC 8878, 3.1.1). */
export const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** An older backup is replaced, and an empty file. Whoever names anything else, the database say, means something else. */
async function refuseOther(path: string): Promise<void> {
  const found = await stat(path).catch(unlessMissing);
  if (found === null) return;
  // A device is replaced by no archive either, whoever may do so.
  requirePlainFile(path, found);
  const file = Bun.file(path);
  if (found.size === 0 || zstdMagic.equals(await file.slice(0, zstdMagic.length).bytes())) return;
  throw new AppError("conflict", `${path} is there already and is no backup; nothing was written to it`);
}

function unlessMissing(cause: unknown): null {
  if (codeOf(cause) === "ENOENT") return null;
  throw cause;
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
