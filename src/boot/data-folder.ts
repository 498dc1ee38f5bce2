/** The data folder: where things are in it, and which processes may work in it at the same time. */
import { constants, existsSync, statSync } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { holdsTextures } from "../adapters/blob-fs/texture-folder.ts";
import { removeLeftStaging } from "../adapters/data-folder/staging.ts";
import { isSwapInterrupted, waitingPath } from "../adapters/data-folder/swap.ts";
import { migrateDatabase, planMigration, type MigrationReport } from "../adapters/sqlite/migrate.ts";
import { isServed, serveFolder, useFolder } from "../adapters/sqlite/folder-lock.ts";
import { AppError, codeOf, PlainError } from "../kernel/errors.ts";
import { systemReasons } from "../kernel/system-reasons.ts";
import { ownSettingsFile } from "./config/settings-file.ts";

/** One data folder, which need not exist yet. Making the value touches nothing. */
export type DataFolder = {
  readonly path: string;
  readonly database: string;
  readonly textures: string;
  /** Where `fsck --mend` puts damaged textures. */
  readonly damagedTextures: string;
  readonly secrets: string;
  readonly defaultSkins: string;
  readonly mailTemplates: string;
  /** The settings that are read without `--config`. Not in backups. */
  readonly settingsFile: string;
  /** Where mails go when no mail server is set. */
  readonly mails: string;
  readonly hasDatabase: () => boolean;
  readonly hasTextures: () => boolean;
  /**
   * Whether a restore was interrupted: then its contents wait to be moved in, and nothing may take their
   * place.
   */
  readonly isRestoreInterrupted: () => boolean;
  /** Whether a move into the folder has begun and not ended. */
  readonly isMoveUnfinished: () => boolean;
};

export function dataFolder(path: string): DataFolder {
  const database = join(path, "cloakroom.db");
  const textures = join(path, "textures");
  return {
    path,
    database,
    textures,
    damagedTextures: join(path, "damaged-textures"),
    secrets: join(path, "secrets"),
    defaultSkins: join(path, "default-skins"),
    mailTemplates: join(path, "mail-templates"),
    settingsFile: ownSettingsFile(path),
    mails: join(path, "mail"),
    hasDatabase: () => existsSync(database),
    hasTextures: () => holdsTextures(textures),
    isRestoreInterrupted: () => isSwapInterrupted(path),
    isMoveUnfinished: () => !existsSync(database) && existsSync(movingPath(path)),
  };
}

/** Where a move fills the database of a folder, which gets its place last. */
export function movingPath(dataDir: string): string {
  return join(dataDir, "moving");
}

/** The system does not let this process create the data folder or work in it; the cause says why. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the data folder ${path} cannot be used: ${reason}`, { cause });
  }
}

/**
 * Creates the folder if it is missing. Also narrows the umask of this process, so that files in a folder that
 * is open to other users are still private. Throws `DataFolderError`; fails with conflict if root works in
 * another user's folder.
 */
export async function makeDataFolder(folder: DataFolder): Promise<void> {
  const foreign = foreignRoot(folder);
  if (foreign !== null) throw foreign;
  process.umask(0o077);
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    // SQLite would only say that it cannot open its file.
    await access(folder.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new DataFolderError(folder.path, cause);
  }
}

/**
 * Why root may not work here: another user's server cannot read files that root creates, a skin for example.
 * Null if it may.
 */
export function foreignRoot({ path, database }: DataFolder): AppError | null {
  const owner = existsSync(database) ? statSync(database).uid : 0;
  if (owner === 0 || process.getuid?.() !== 0) return null;
  return new PlainError(
    "conflict",
    `the data folder ${path} belongs to user ${owner}, who could not use files that root creates in it: ` +
      "run this as that user (runuser -u NAME -- cloakroom …)",
  );
}

/**
 * Why `makeDataFolder` could not create a folder that is missing, in the words of a start. Creates nothing;
 * null if it could.
 */
export async function findCreationFault({ path }: DataFolder): Promise<Error | null> {
  let above = dirname(path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  // A file has no entries: with the dot it is refused as a part of a path.
  return access(`${above}/.`, constants.W_OK | constants.X_OK).then(
    () => null,
    (cause: unknown) => {
      const fault = aboutDataFolder(path, new DataFolderError(path, cause));
      return fault instanceof Error ? fault : null;
    },
  );
}

/**
 * Creates the folder if it is missing, keeps restores out of it until disposed of, and removes what an
 * interrupted restore unpacked. Fails with conflict during a restore, and after one that was interrupted
 * while it replaced files.
 */
export async function enterDataFolder(folder: DataFolder): Promise<Disposable> {
  await makeDataFolder(folder);
  using entered = new DisposableStack();
  entered.use(useFolder(folder.path));
  if (folder.isRestoreInterrupted()) throw interruptedRestore(folder);
  if (folder.isMoveUnfinished()) throw unfinishedMove(folder);
  await removeLeftStaging(folder.path);
  return entered.move();
}

/**
 * Creates the folder if it is missing, and keeps other servers out of it until disposed of. Fails with
 * conflict if one runs.
 */
export async function serveDataFolder(folder: DataFolder): Promise<Disposable> {
  await makeDataFolder(folder);
  return serveFolder(folder.path);
}

/**
 * Brings the database of a folder that was entered up to date. Fails with conflict where only the database is
 * missing. A command also fails if a server runs that is older than the schema would be: it would go on
 * without what its schema did by itself.
 */
export function migrateEntered(folder: DataFolder, by: "server" | "command"): MigrationReport {
  refuseLostDatabase(folder);
  if (by === "command") refuseOlderServer(folder);
  return migrateDatabase(folder.database);
}

function refuseOlderServer({ path, database }: DataFolder): void {
  if (planMigration(database).applied.length === 0 || !isServed(path)) return;
  throw new PlainError(
    "conflict",
    `a server of an older version is using ${path}: use the program of that version, or end the server first and start this one's`,
  );
}

/** Brings the folder's database up to date. Creates the folder if it is missing. */
export async function migrate(folder: DataFolder): Promise<MigrationReport> {
  using _entered = await enterDataFolder(folder);
  return migrateEntered(folder, "command");
}

/** What `migrate` would do. Creates no folder. */
export async function planMigrate(folder: DataFolder): Promise<MigrationReport> {
  using _entered = existsSync(folder.path) ? await enterDataFolder(folder) : null;
  return planMigration(folder.database);
}

/** Fails with not_found if the folder holds neither a database nor an interrupted restore. */
export function refuseEmptyFolder(folder: DataFolder): void {
  // Opening a path that is no folder fails with a better message.
  if (statSync(folder.path, { throwIfNoEntry: false })?.isDirectory() === false) return;
  if (folder.hasDatabase() || folder.isRestoreInterrupted()) return;
  throw new PlainError("not_found", `${folder.path} holds no database: is --data-dir (or DATA_DIR) right?`);
}

/**
 * Refuses a folder with textures but without a database. A start would make an empty database there: the
 * operator would not notice the loss, and `fsck --mend` would delete all textures.
 */
function refuseLostDatabase(folder: DataFolder): void {
  if (folder.hasDatabase() || !folder.hasTextures()) return;
  throw new PlainError(
    "conflict",
    `${folder.path} holds textures but no database: is a disk missing? Restore a backup` +
      " or, to start an empty community, move the folder textures away",
  );
}

/** A new, empty database would take the place of the one that is being filled. */
export function unfinishedMove({ path }: DataFolder): AppError {
  return new PlainError(
    "conflict",
    `a move into ${path} has not finished: run the same cloakroom move again, or remove the folder`,
  );
}

/** Neither a new, empty database nor another backup may replace the one that waits to be moved in. */
export function interruptedRestore({ path }: DataFolder, cause: unknown = null): AppError {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  const command = `cloakroom restore '${waitingPath(path)}'`;
  const message = `a restore into ${path} was interrupted${reason}; this finishes it: ${command}`;
  return new PlainError("conflict", message, { cause });
}

/** What is wrong, and what to do about it. */
type FolderReason = { readonly what: string; readonly remedy: string };

const locked = { what: "its database is locked by another process", remedy: "end that one, or try again" };
const full = { what: "no space left on the disk", remedy: "make room" };

/**
 * Faults of the data folder, by the system's code, SQLite's result code, or the primary part of that code.
 */
const reasons: Readonly<Record<string, FolderReason>> = {
  EROFS: { what: "its disk is mounted read-only", remedy: "mount it for writing" },
  EACCES: { what: "this user may not write there", remedy: "check who owns it" },
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_READONLY: { what: "its database may not be written", remedy: "check who owns the files" },
  SQLITE_CANTOPEN: { what: "its database cannot be opened", remedy: "check who owns the folder" },
  SQLITE_NOTADB: { what: "the file cloakroom.db in it is no database", remedy: "restore a backup" },
  SQLITE_CORRUPT: { what: "its database is damaged", remedy: "restore a backup" },
  SQLITE_FULL: full,
  // The shared-memory file beside the database cannot be created: not one page is left for it.
  SQLITE_IOERR_SHMSIZE: full,
  SQLITE_IOERR: { what: "the disk reports errors", remedy: "look for them in the system's log" },
};

/** What this error, apart from its cause, says about the data folder. Null if it is no such fault. */
export function folderReasonOf(error: unknown): FolderReason | null {
  const code = codeOf(error) ?? "";
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  return reasons[code] ?? reasons[primary] ?? null;
}

/**
 * An error of work in the data folder, with a message that names the folder. Expected errors and unknown
 * faults stay as they are.
 */
export function aboutDataFolder(dataDir: string, cause: unknown): unknown {
  if (cause instanceof AppError) return cause;
  const reason = reasonOf(cause);
  return reason === null
    ? cause
    : new PlainError("internal", `the data folder ${dataDir} cannot be used: ${reason}`, { cause });
}

/** The first known reason in the chain of causes. */
function reasonOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const found = folderReasonOf(cause);
  if (found !== null) return `${found.what}; ${found.remedy}`;
  return systemReasons[codeOf(cause) ?? ""] ?? reasonOf(cause.cause);
}
