import { DataFolderError } from "../boot/data-folder.ts";
import { folderReasonOf } from "../boot/data-folder-reasons.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { fileError, systemReasons } from "./files.ts";

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
  const found = folderReasonOf(cause);
  if (found !== null) return `${found.what}; ${found.remedy}`;
  return systemReasons[codeOf(cause) ?? ""] ?? reasonOf(cause.cause);
}
