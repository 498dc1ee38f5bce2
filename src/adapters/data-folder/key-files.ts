import { link, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyKind, KeyStore } from "../../domain/ports/key-store.ts";
import { makeFolder, syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainText } from "../../kernel/plain-files.ts";

/** Keys as files of a folder (0700), each named like its key and readable by its owner alone (0600). */
export function keyFiles(folder: string): KeyStore {
  const pathOf = ({ name }: KeyKind): string => join(folder, name);
  return {
    find: (kind) => explaining(pathOf(kind), () => read(pathOf(kind), kind)),
    findOrMake: (kind) =>
      explaining(pathOf(kind), async () => {
        const path = pathOf(kind);
        const kept = await read(path, kind);
        if (kept !== null) return { text: kept, madeAt: null };
        await make(path, await kind.make());
        // Another process may have been faster.
        return { text: (await read(path, kind)) ?? "", madeAt: path };
      }),
  };
}

async function explaining<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("internal", `the secret in ${path} cannot be read or made: ${reason}`, { cause });
  }
}

async function read(path: string, { isUsable, loss }: KeyKind): Promise<string | null> {
  const content = await readPlainText(path, limits.operatorFileBytesMax).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null;
    throw cause;
  });
  if (content === null) return null;
  const text = content.trim();
  if (isUsable(text)) return text;
  throw new AppError(
    "internal",
    `${path} is damaged: delete it and a new one is made at the next start (${loss})`,
  );
}

/**
 * Writes a draft and links it to the path. A link, unlike a rename, never replaces a file: of two processes that start at once
 * the slower one finds the name taken.
 */
async function make(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const draft = join(folder, `.draft-${newUuid()}`);
  await writeNew(draft, `${text}\n`);
  try {
    await link(draft, path);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
}
