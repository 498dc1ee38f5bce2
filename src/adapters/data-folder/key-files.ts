import { statSync } from "node:fs";
import { link, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyKind, KeyStore } from "../../domain/ports/key-store.ts";
import { makeFolder, syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { AppError, codeOf, PlainError } from "../../kernel/errors.ts";
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
    replace: (kind, remake) =>
      explaining(pathOf(kind), async () => {
        const path = pathOf(kind);
        const text = await read(path, kind);
        await replace(path, text, await remake(text), kind);
        return (await read(path, kind)) ?? "";
      }),
    stamp: (kind) => {
      const found = statSync(pathOf(kind), { bigint: true, throwIfNoEntry: false });
      return found === undefined ? null : `${found.ino}-${found.size}-${found.mtimeNs}-${found.ctimeNs}`;
    },
  };
}

async function explaining<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlainError("internal", `the secret in ${path} cannot be read or made: ${reason}`, { cause });
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
  throw new PlainError(
    "internal",
    `${path} is damaged: delete it and a new one is made at the next start (${loss})`,
  );
}

/**
 * Writes a draft and links it to the path. A link, unlike a rename, never replaces a file: of two processes
 * that start at once the slower one finds the name taken.
 */
async function make(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await linkNew(path, text);
  await syncFolder(dirname(path));
}

/** False when the name is taken. */
async function linkNew(path: string, text: string): Promise<boolean> {
  const draft = join(dirname(path), `.draft-${newUuid()}`);
  await writeNew(draft, `${text}\n`);
  try {
    await link(draft, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
    return false;
  } finally {
    await unlink(draft);
  }
}

/** A process that replaces a key holds the name for milliseconds. */
const replacingSecondsMax = 60;

/**
 * Renames a new file over the key. Until then its name is that of the text that it replaces, so only one
 * process at a time can replace the same text; what a killed one left under the name is removed.
 */
async function replace(path: string, before: string | null, after: string, kind: KeyKind): Promise<void> {
  await makeFolder(dirname(path));
  const digest = new Bun.CryptoHasher("sha256").update(`${kind.name} ${before ?? ""}`).digest("hex");
  const next = join(dirname(path), `.next-${digest.slice(0, 32)}`);
  if (!(await linkNew(next, after))) {
    const { mtimeMs } = await stat(next);
    const isLeft = Date.now() - mtimeMs > replacingSecondsMax * 1000;
    if (isLeft) await unlink(next);
    if (!isLeft || !(await linkNew(next, after))) throw replacedMeanwhile(path);
  }
  // Another process may have replaced it before the name was free.
  if ((await read(path, kind)) !== before) {
    await unlink(next);
    throw replacedMeanwhile(path);
  }
  await rename(next, path);
  await syncFolder(dirname(path));
}

function replacedMeanwhile(path: string): AppError {
  return new PlainError("conflict", `another process is replacing ${path}: try again in a minute`);
}
