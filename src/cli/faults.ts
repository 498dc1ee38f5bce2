/** How errors about files, the data folder and backups are reported. */
import { DataFolderError, folderReasonOf } from "../boot/data-folder.ts";
import { AppError, codeOf } from "../kernel/errors.ts";
import { readPlainFile } from "../kernel/plain-files.ts";

/** The bytes of a file that the operator names. Fails with not_found, too_large or invalid, naming the file. */
export async function readInput(path: string, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readPlainFile(path, bytesMax);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Writes a file that the operator names, replacing one that is there. */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await Bun.write(path, bytes);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Throws the error again, with the file's name before its message if it is about the file's content. */
export function aboutFile(path: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof AppError) || cause.code === "internal") throw cause;
    throw new AppError(cause.code, `${path}: ${cause.message}`, { cause });
  };
}

/** Error codes of the operating system that an operator can act on. */
export const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of its path is no folder",
  EEXIST: "there is a file of that name",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "no space left on the disk",
};

/** An error of the operating system about a file, with a message that names the file. Other errors stay as they are. */
function fileError(path: string, cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error) || !("code" in cause)) return cause;
  const reason = systemReasons[String(cause.code)] ?? cause.message;
  return new AppError(cause.code === "ENOENT" ? "not_found" : "invalid", `${path}: ${reason}`, { cause });
}

/** An error of work in the data folder, with a message that names the folder. Expected errors and unknown faults stay as they are. */
export function aboutDataFolder(dataDir: string, cause: unknown): unknown {
  if (cause instanceof AppError) return cause;
  const reason = reasonOf(cause);
  return reason === null
    ? cause
    : new AppError("internal", `the data folder ${dataDir} cannot be used: ${reason}`, { cause });
}

/** The same for work with a backup: an error that names neither a file of the folder nor its database is about the backup. */
export function aboutBackup(dataDir: string, backup: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const isDatabase = "code" in cause && String(cause.code).startsWith("SQLITE_");
  if (isDatabase || cause instanceof DataFolderError) return aboutDataFolder(dataDir, cause);
  const path = "path" in cause ? String(cause.path) : backup;
  // The backup may lie in the folder.
  const isInFolder = path.startsWith(dataDir) && !path.startsWith(backup);
  return fileError(isInFolder ? path : backup, cause);
}

/** The first known reason in the chain of causes. */
function reasonOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const found = folderReasonOf(cause);
  if (found !== null) return `${found.what}; ${found.remedy}`;
  return systemReasons[codeOf(cause) ?? ""] ?? reasonOf(cause.cause);
}
