import { mkdir, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { nameOf } from "../../domain/model/backup-parts.ts";
import type { Chunks, DatabaseCopy, StagedFolder } from "../../domain/ports/backup-ports.ts";
import { syncFolder, writeNew } from "../../kernel/durable-files.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";

/** Free space is looked at after so many bytes: others fill the disk as well. */
const lookBytes = 16 * 1024 * 1024;

type Staging = StagedFolder &
  AsyncDisposable & {
    readonly path: string;
    /** Makes all that was written survive a power cut, names included. */
    readonly settle: () => Promise<void>;
  };

/** An empty folder in the data folder. Disposing of it removes it with what is still in it. The signal stops work in it. */
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
  let sinceLook = lookBytes;
  const leaveSpace = async (bytes: number): Promise<void> => {
    signal.throwIfAborted();
    sinceLook += bytes;
    if (sinceLook < lookBytes) return;
    sinceLook = 0;
    const found = await space();
    if (found !== null && found.free < limits.diskBytesFreeMin)
      throw new AppError("no_space", "not enough space is left on the disk");
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
    readTexture: async (hash) => {
      signal.throwIfAborted();
      const file = Bun.file(join(path, nameOf({ kind: "texture", hash })));
      return (await file.exists()) ? await file.bytes() : null;
    },
    space,
    openDatabase: () => openDatabase(join(path, nameOf({ kind: "database" }))),
    // Once for each folder and not for each file: there are as many files as textures.
    settle: async () => {
      for (const folder of folders) await syncFolder(folder);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Removes what a restore left that was killed, secrets among it. Another user's stays: that is in nobody's way. */
export async function removeLeftStaging(dataDir: string): Promise<void> {
  await rm(stagingPath(dataDir), { recursive: true, force: true }).catch(() => undefined);
}

/** Where a restore unpacks, inside the data folder. */
export function stagingPath(dataDir: string): string {
  return join(dataDir, "unpacking");
}

async function* watched(content: Chunks, leaveSpace: (bytes: number) => Promise<void>): Chunks {
  for await (const chunk of content) {
    await leaveSpace(chunk.length);
    yield chunk;
  }
}
