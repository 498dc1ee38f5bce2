import { DataFolderError } from "../boot/data-folder.ts";
import { AppError } from "../kernel/errors.ts";
import { fileError, systemReasons } from "./files.ts";

/** What a fault of the folder means for an operator, by the system's code, SQLite's result code or the primary part of that. */
const folderReasons: Readonly<Record<string, string>> = {
  EROFS: "its disk is mounted read-only; mount it for writing",
  EACCES: "this user may not write there; check who owns it",
  SQLITE_BUSY: "its database is locked by another process; end that one, or try again",
  SQLITE_LOCKED: "its database is locked by another process; end that one, or try again",
  SQLITE_READONLY: "its database may not be written; check who owns the files",
  SQLITE_CANTOPEN: "its database cannot be opened; check who owns the folder",
  SQLITE_NOTADB: "the file cloakroom.db in it is no database",
  SQLITE_CORRUPT: "its database is damaged; restore a backup",
  SQLITE_FULL: "no space left on the disk",
  // The file beside the database that its users share cannot be made: there is not one page left for it.
  SQLITE_IOERR_SHMSIZE: "no space left on the disk",
  SQLITE_IOERR: "the disk answers with errors",
};

/** Puts what is wrong with the data folder in words. Expected errors and faults of the program stay as they are. */
export function aboutDataFolder(dataDir: string, cause: unknown): unknown {
  if (cause instanceof AppError) return cause;
  const reason = reasonOf(cause);
  return reason === null
    ? cause
    : new AppError("internal", `the data folder ${dataDir} cannot be used: ${reason}`, { cause });
}

/** The same where the fault may as well be a backup's: what names no file in the folder, nor its database, is the backup's. */
export function aboutBackup(dataDir: string, backup: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const isDatabase = "code" in cause && String(cause.code).startsWith("SQLITE_");
  if (isDatabase || cause instanceof DataFolderError) return aboutDataFolder(dataDir, cause);
  const path = "path" in cause ? String(cause.path) : backup;
  // The folder may hold the backup, too.
  const isInFolder = path.startsWith(dataDir) && !path.startsWith(backup);
  return fileError(isInFolder ? path : backup, cause);
}

/** The first reason along the chain of causes. */
function reasonOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const code = "code" in cause ? String(cause.code) : "";
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  return folderReasons[code] ?? folderReasons[primary] ?? systemReasons[code] ?? reasonOf(cause.cause);
}
