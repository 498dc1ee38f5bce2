import { stat, statfs } from "node:fs/promises";
import type { FreeSpace } from "../../domain/ports/storage-probe.ts";

/**
 * The free space of the data folder's disk, and of the textures' disk if that is another one. A file system that does not report
 * its space is left out.
 */
export async function freeSpaceOf(dataDir: string, textures: string): Promise<readonly FreeSpace[]> {
  const data = await lookAt(dataDir);
  // A missing folder has no space of its own. That it cannot be written shows when it is written.
  const apart = await lookAt(textures).catch(() => data);
  const spaces: readonly { folder: FreeSpace["folder"]; bytes: number | null }[] = [
    { folder: "data", bytes: data.bytes },
    ...(apart.disk === data.disk ? [] : [{ folder: "textures", bytes: apart.bytes } as const]),
  ];
  return spaces.flatMap(({ folder, bytes }) => (bytes === null ? [] : [{ folder, bytes }]));
}

async function lookAt(folder: string): Promise<{ readonly disk: number; readonly bytes: number | null }> {
  const [{ dev }, { bavail, bsize, blocks }] = await Promise.all([stat(folder), statfs(folder)]);
  return { disk: dev, bytes: blocks === 0 ? null : bavail * bsize };
}
