/** Folders of textures that another system wrote: plain files, read within bounds. */
import { constants, lstatSync, type Stats } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { sizeText } from "../../kernel/size-text.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";

/** A name without a part of a path: it cannot lead out of its folder. */
const fileName = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;

/**
 * Reads a file of a folder by its name. Null for a file that is missing. Fails with invalid for a name that
 * leads elsewhere and for anything but a plain file (links too: they may lead out of the folder), and with
 * too_large beyond `bytesMax`.
 */
export async function readTextureFile(
  folder: string,
  name: string,
  bytesMax: number,
): Promise<Uint8Array | null> {
  if (!fileName.test(name)) throw new PlainError("invalid", "its file has no plain name");
  const path = join(folder, name);
  try {
    // A pipe would never begin, so it is not waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) throw new PlainError("invalid", "its file is no plain file");
    if (found.size > bytesMax) throw tooLarge(bytesMax);
    // It may grow meanwhile.
    const bytes = new Uint8Array(Math.min(found.size, bytesMax) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > bytesMax) throw tooLarge(bytesMax);
    return bytes.subarray(0, length);
  } catch (cause) {
    if (cause instanceof PlainError) throw cause;
    const code = codeOf(cause) ?? "";
    if (code === "ENOENT") return null;
    if (code === "ELOOP") throw new PlainError("invalid", "its file is a link, which is not followed");
    throw new PlainError("invalid", `its file cannot be read: ${systemReasons[code] ?? code}`, { cause });
  }
}

function tooLarge(bytesMax: number): PlainError {
  return new PlainError("too_large", `its file is larger than ${sizeText(bytesMax)}`);
}

/**
 * Whether a folder has a plain file of this name. It is asked for each player, and only by a command: a look
 * that waits for a thread takes six times as long. Fails with invalid if the folder cannot be read.
 */
export function hasTextureFile(folder: string, name: string): boolean {
  if (!fileName.test(name)) return false;
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (cause) {
    const code = codeOf(cause) ?? "";
    if (code === "ENAMETOOLONG") return false;
    throw new PlainError("invalid", `${folder}: ${systemReasons[code] ?? "it cannot be read"}`, { cause });
  }
}

/** A name takes some 100 bytes of memory while a folder is read: 20 MB. */
const entriesMax = 200_000;

/** What a folder of textures has. */
type TextureList = {
  /** Its PNG files, in order. */
  readonly names: readonly string[];
  /** Entries that look like one and are no plain file, with the reason. */
  readonly problems: readonly { readonly name: string; readonly reason: string }[];
  /** How many other entries it has. */
  readonly others: number;
};

/** Reads what a folder has. Fails with invalid if it has too many entries, or cannot be read. */
export async function listTextures(folder: string): Promise<TextureList> {
  await requireFolder(folder);
  const names: string[] = [];
  const problems: { name: string; reason: string }[] = [];
  let entries = 0;
  for await (const entry of await opendir(folder)) {
    entries += 1;
    if (entries > entriesMax)
      throw new PlainError("invalid", `${folder}: it has more than ${entriesMax} files; give a part of them`);
    const { name } = entry;
    if (!/\.png$/i.test(name)) continue;
    if (entry.isFile()) names.push(name);
    else problems.push({ name, reason: entry.isSymbolicLink() ? "it is a link" : "it is no plain file" });
  }
  return { names: names.toSorted(), problems, others: entries - names.length - problems.length };
}

/** Fails with a sentence if the operator named something else than a folder. */
export async function requireFolder(folder: string): Promise<void> {
  const found = await statOf(folder);
  if (!found.isDirectory()) throw new PlainError("invalid", `${folder}: it is no folder`);
}

async function statOf(folder: string): Promise<Stats> {
  try {
    // The folder itself may be reached by a link: the operator named it.
    return await lstat(join(folder, "."));
  } catch (cause) {
    const reason = systemReasons[codeOf(cause) ?? ""] ?? "it cannot be read";
    throw new PlainError("invalid", `${folder}: ${reason}`, { cause });
  }
}
