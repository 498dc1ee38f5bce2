/**
 * Reads files that operators or data folders name. A pipe may never begin, a device never end, and neither
 * has a size.
 */
import { readFileSync, statSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { PlainError } from "./errors.ts";

/**
 * Resolves to all bytes of a plain file. Fails with the system's error for a missing file, with invalid for a
 * folder, pipe, device or socket, and with too_large beyond `bytesMax`; the messages name the path.
 */
export async function readPlainFile(path: string, bytesMax: number): Promise<Uint8Array> {
  refuseUnfit(path, await stat(path), bytesMax);
  // It may grow meanwhile, and files of /proc report a size of 0.
  const bytes = await Bun.file(path)
    .slice(0, bytesMax + 1)
    .bytes();
  refuseTooLarge(path, bytes.length, bytesMax);
  return bytes;
}

/** `readPlainFile`, decoded as UTF-8. */
export async function readPlainText(path: string, bytesMax: number): Promise<string> {
  return Buffer.from(await readPlainFile(path, bytesMax)).toString("utf8");
}

/** `readPlainText`, synchronously, for small files. */
export function readPlainTextSync(path: string, bytesMax: number): string {
  refuseUnfit(path, statSync(path), bytesMax);
  return readFileSync(path, "utf8");
}

/** Fails with invalid for anything but a plain file. For files that are read in chunks. */
export function requirePlainFile(path: string, found: Stats): void {
  const kind = kindOf(found);
  if (kind !== null) throw new PlainError("invalid", `${path}: it is a ${kind}`);
}

function refuseUnfit(path: string, found: Stats, bytesMax: number): void {
  requirePlainFile(path, found);
  refuseTooLarge(path, found.size, bytesMax);
}

function refuseTooLarge(path: string, bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return;
  throw new PlainError("too_large", `${path} has ${bytes} bytes; at most ${bytesMax} are allowed`);
}

function kindOf(found: Stats): string | null {
  if (found.isFile()) return null;
  if (found.isDirectory()) return "folder";
  if (found.isFIFO()) return "named pipe, not a plain file";
  return found.isSocket() ? "socket, not a plain file" : "device, not a plain file";
}
