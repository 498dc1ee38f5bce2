/* A disk of some megabytes that can be filled to the last page. */
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type SmallDisk = AsyncDisposable & {
  readonly path: string;
  /**
   * Leaves so many bytes, to the next 4 KiB, by a file that takes all the others; null gives all of them
   * back.
   */
  readonly leave: (bytes: number | null) => Promise<void>;
};

/** Why there can be no small disk here; null when there can. */
export async function noSmallDisk(): Promise<string | null> {
  try {
    await using _disk = await mountSmallDisk(1 << 20);
    return null;
  } catch (error) {
    return `no tmpfs can be mounted here, so full disks are not tried: ${String(error)}`;
  }
}

/** A file system in memory. Only root may have one, on Linux. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), "cloakroom-disk-"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(path, { recursive: true, force: true }));
  await Bun.$`mount -t tmpfs -o size=${bytes},mode=700 tmpfs ${path}`.quiet();
  opened.defer(async () => void (await Bun.$`umount -l ${path}`.quiet()));
  const filler = join(path, "filler");
  const closing = opened.move();

  return {
    path,
    leave: async (left) => {
      await rm(filler, { force: true });
      if (left === null) return;
      const { bavail, bsize } = await statfs(path);
      const taken = bavail * bsize - left;
      if (taken > 0) await Bun.write(filler, new Uint8Array(taken)).catch(expectFull);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/**
 * The service may write between the question and the file: then the disk is full, which is no less than was
 * asked for.
 */
function expectFull(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
}
