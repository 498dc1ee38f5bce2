/** Files that commands make for operators: they appear complete, and replace nothing by mistake. */
import { lstat, realpath, stat } from "node:fs/promises";
import { moveAsNew, moveInto } from "../kernel/durable-files.ts";
import { type AppError, codeOf, PlainError } from "../kernel/errors.ts";
import { requirePlainFile } from "../kernel/plain-files.ts";

/** A file to be made. */
export type FilePlace = {
  readonly path: string;
  /**
   * Whether a file of the same kind that has the name is replaced, in one step when the new one is complete.
   * Otherwise it is a conflict.
   */
  readonly replaces: boolean;
};

/** The first bytes of every tar archive of ours (RFC 8878, 3.1.1), and of every Zip archive. */
const firstBytes = { archive: [0x28, 0xb5, 0x2f, 0xfd], zip: [0x50, 0x4b, 0x03, 0x04] } as const;

/** A cheap look at a file: whether it begins as a backup and an export do. */
export function looksLikeArchive(path: string): Promise<boolean> {
  return beginsAs(path, firstBytes.archive);
}

export function looksLikeZip(path: string): Promise<boolean> {
  return beginsAs(path, firstBytes.zip);
}

async function beginsAs(path: string, bytes: readonly number[]): Promise<boolean> {
  return Buffer.from(bytes).equals(await Bun.file(path).slice(0, bytes.length).bytes());
}

/**
 * The path of a file that may be made or replaced; where links lead, because a link stays. Only a file of the
 * same kind or an empty file is replaced: a path to anything else, such as the database, is a mistake.
 */
export async function freePath(
  { path, replaces }: FilePlace,
  {
    is,
    looksRight,
  }: { readonly is: "backup" | "export"; readonly looksRight: (path: string) => Promise<boolean> },
): Promise<string> {
  const found = await ifThere(stat(path));
  if (found === null) {
    if ((await ifThere(lstat(path))) === null) return path;
    throw new PlainError("conflict", `${path} is a link that leads nowhere; nothing was written`);
  }
  requirePlainFile(path, found);
  if (found.size > 0 && !(await looksRight(path)))
    throw new PlainError("conflict", `${path} is there already and is no ${is}; nothing was written to it`);
  if (!replaces) throw taken(path);
  return await realpath(path);
}

/** Moves a complete file there. Fails with conflict where another process has taken the name meanwhile. */
export async function moveToPlace(from: string, { path, replaces }: FilePlace): Promise<void> {
  if (replaces) return moveInto(from, path);
  return moveAsNew(from, path).catch((cause: unknown) => {
    throw codeOf(cause) === "EEXIST" ? taken(path) : cause;
  });
}

async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null;
    throw cause;
  });
}

function taken(path: string): AppError {
  return new PlainError(
    "conflict",
    `${path} is there already: give another name, or --replace to replace it`,
  );
}
