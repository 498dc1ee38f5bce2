import { type Stats } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { readPlainFile } from "../../kernel/plain-files.ts";
import { systemReasons } from "../../kernel/system-reasons.ts";

/** A name takes some 100 bytes of memory while the folder is read: 20 MB. */
const entriesMax = 200_000;

/** A folder of another system's textures. Only plain files that lie directly in it are read, no links. */
export type PictureFolder = {
  /** The names of its PNG files in order, and the entries that look like one and are no plain file. */
  list(): Promise<FolderList>;
  /** Whether it has a plain file of that name. */
  has(name: string): Promise<boolean>;
  /**
   * The bytes of a file; null where there is none. Fails with invalid for a name that leads elsewhere and for
   * what is no plain file, and with too_large.
   */
  read(name: string, bytesMax: number): Promise<Uint8Array | null>;
};

export type FolderList = {
  readonly names: readonly string[];
  readonly problems: readonly { readonly name: string; readonly reason: string }[];
  /** How many other entries it has. */
  readonly others: number;
};

/** Opens a folder that the operator names. Fails with not_found or invalid, naming it. */
export async function openPictureFolder(path: string): Promise<PictureFolder> {
  const found = await stat(path).catch((cause: unknown) => {
    const code = codeOf(cause) ?? "";
    throw new PlainError(
      code === "ENOENT" ? "not_found" : "invalid",
      `${path}: ${systemReasons[code] ?? code}`,
    );
  });
  if (!found.isDirectory()) throw new PlainError("invalid", `${path}: it is no folder`);
  return {
    list: () => listPictures(path),
    has: async (name) => isFileName(name) && ((await entryAt(join(path, name)))?.isFile() ?? false),
    read: (name, bytesMax) => readPicture(path, name, bytesMax),
  };
}

async function listPictures(path: string): Promise<FolderList> {
  const names: string[] = [];
  const problems: { name: string; reason: string }[] = [];
  let others = 0;
  for await (const entry of await opendir(path)) {
    if (names.length + problems.length + others >= entriesMax) {
      throw new PlainError(
        "too_large",
        `${path}: it has more than ${entriesMax} entries; import them in parts`,
      );
    }
    const { name } = entry;
    if (!name.toLowerCase().endsWith(".png")) others += 1;
    else if (entry.isFile()) names.push(name);
    else problems.push({ name, reason: entry.isSymbolicLink() ? "it is a link" : "it is no plain file" });
  }
  return { names: names.toSorted(), problems, others };
}

async function readPicture(path: string, name: string, bytesMax: number): Promise<Uint8Array | null> {
  if (!isFileName(name)) throw new PlainError("invalid", "it lies outside of its folder");
  const file = join(path, name);
  const found = await entryAt(file);
  if (found === null) return null;
  if (found.isSymbolicLink()) throw new PlainError("invalid", `${file}: it is a link`);
  return await readPlainFile(file, bytesMax);
}

async function entryAt(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (cause) {
    if (["ENOENT", "ENAMETOOLONG"].includes(codeOf(cause) ?? "")) return null;
    throw cause;
  }
}

/** Whether a name is one of a file directly in a folder. */
function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}
