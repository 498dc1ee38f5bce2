import { mkdir, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { nameOf, texturePath } from "../../domain/model/backup-entries.ts";
import type { Chunks, DatabaseCopy, StagedFolder } from "../../domain/ports/backup-ports.ts";
import { syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";

/** Free space is checked again after so many bytes: other programs fill the disk as well. */
const checkBytes = 16 * 1024 * 1024;

type Staging = StagedFolder &
  AsyncDisposable & {
    readonly path: string;
    /** Makes everything that was written durable, names included. */
    readonly settle: () => Promise<void>;
  };

/**
 * Makes an empty folder in the data folder, removed with its content when disposed of. The signal stops work
 * in it.
 */
export async function openStaging(
  dataDir: string,
  {
    openDatabase,
    signal,
  }: { readonly openDatabase: (path: string) => DatabaseCopy; readonly signal: AbortSignal },
): Promise<Staging> {
  const path = stagingPath(dataDir);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
  const folders = new Set([path]);
  let sinceCheck = checkBytes;
  const leaveSpace = async (bytes: number): Promise<void> => {
    signal.throwIfAborted();
    sinceCheck += bytes;
    if (sinceCheck < checkBytes) return;
    sinceCheck = 0;
    const found = await space();
    if (found !== null && found.free < limits.diskBytesFreeMin)
      throw new PlainError("no_space", "not enough space is left on the disk");
  };
  const space = async () => {
    const { bavail, blocks, bsize } = await statfs(path);
    return blocks === 0 ? null : { free: bavail * bsize, size: blocks * bsize };
  };

  return {
    path,
    write: async (name, content) => {
      const target = join(path, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      for (let folder = dirname(target); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
      await writeNew(target, watched(content, leaveSpace));
    },
    readTexture: async (file) => {
      signal.throwIfAborted();
      const found = Bun.file(join(path, texturePath(file)));
      return (await found.exists()) ? await found.bytes() : null;
    },
    space,
    openDatabase: () => openDatabase(join(path, nameOf({ kind: "database" }))),
    // Once for each folder, not for each file: there are as many files as textures.
    settle: async () => {
      for (const folder of folders) await syncFolder(folder);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Removes what a killed restore left, secrets included. Another user's folder stays; it does no harm. */
export async function removeLeftStaging(dataDir: string): Promise<void> {
  await rm(stagingPath(dataDir), { recursive: true, force: true }).catch(() => undefined);
}

/** The folder in the data folder where a restore unpacks. */
export function stagingPath(dataDir: string): string {
  return join(dataDir, "unpacking");
}

async function* watched(content: Chunks, leaveSpace: (bytes: number) => Promise<void>): Chunks {
  for await (const chunk of content) {
    await leaveSpace(chunk.length);
    yield chunk;
  }
}
