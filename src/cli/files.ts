import { AppError } from "../kernel/errors.ts";
import { readPlainFile } from "../kernel/plain-files.ts";

/** The bytes of a file that the operator names. Fails with not_found, too_large or invalid, naming the file. */
export async function readInput(path: string, bytesMax: number): Promise<Uint8Array> {
  try {
    return await readPlainFile(path, bytesMax);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Writes a file that the operator names, replacing what is there. */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await Bun.write(path, bytes);
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Puts the file's name before what is wrong with its content. Faults of the program stay as they are. */
export function aboutFile(path: string, cause: unknown): unknown {
  if (!(cause instanceof AppError) || cause.code === "internal") return cause;
  return new AppError(cause.code, `${path}: ${cause.message}`, { cause });
}

/** The operating system's error codes that an operator can mend, in words. */
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

/** Puts an error of the operating system about a file into words. Anything else stays as it is. */
export function fileError(path: string, cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error) || !("code" in cause)) return cause;
  const reason = systemReasons[String(cause.code)] ?? cause.message;
  return new AppError(cause.code === "ENOENT" ? "not_found" : "invalid", `${path}: ${reason}`, { cause });
}
