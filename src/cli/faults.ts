/** How errors about files, the data folder and backups are reported. */
import { aboutDataFolder, DataFolderError } from "../boot/data-folder.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import { readPlainFile } from "../kernel/plain-files.ts";
import { systemReasons } from "../kernel/system-reasons.ts";

/**
 * The bytes of a file that the operator names. Fails with not_found, too_large or invalid, naming the file.
 */
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
    if (!(cause instanceof AppError) || cause.kind === "internal") throw cause;
    throw Object.assign(new AppError(cause, { cause }), { message: `${path}: ${cause.message}` });
  };
}

/**
 * An error of the operating system about a file, with a message that names the file. Other errors stay as
 * they are.
 */
function fileError(path: string, cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error) || !("code" in cause)) return cause;
  const reason = systemReasons[String(cause.code)] ?? cause.message;
  return new PlainError(cause.code === "ENOENT" ? "not_found" : "invalid", `${path}: ${reason}`, { cause });
}

/**
 * An error of work with a backup, as `aboutDataFolder` has it: an error that names neither a file of the
 * folder nor its database is about the backup.
 */
export function aboutBackup(dataDir: string, backup: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const isDatabase = "code" in cause && String(cause.code).startsWith("SQLITE_");
  if (isDatabase || cause instanceof DataFolderError) return aboutDataFolder(dataDir, cause);
  const path = "path" in cause ? String(cause.path) : backup;
  // The backup may lie in the folder.
  const isInFolder = path.startsWith(dataDir) && !path.startsWith(backup);
  return fileError(isInFolder ? path : backup, cause);
}
