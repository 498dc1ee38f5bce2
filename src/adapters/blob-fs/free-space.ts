import { stat, statfs } from "node:fs/promises";
import type { FreeSpace } from "../../domain/ports/storage-probe.ts";

/**
 * The free space of the data folder's disk, and of the textures' disk if that is another one. A file system
 * that does not report its space is left out.
 */
export async function freeSpaceOf(dataDir: string, textures: string): Promise<readonly FreeSpace[]> {
  const data = await lookAt(dataDir);
  // A missing folder has no space of its own. That it cannot be written shows when it is written.
  const apart = await lookAt(textures).catch(() => data);
  const spaces = [
    { folder: "data", space: data.space } as const,
    ...(apart.disk === data.disk ? [] : [{ folder: "textures", space: apart.space } as const]),
  ];
  return spaces.flatMap(({ folder, space }) => (space === null ? [] : [{ folder, ...space }]));
}

type Disk = { readonly disk: number; readonly space: Omit<FreeSpace, "folder"> | null };

async function lookAt(folder: string): Promise<Disk> {
  const [{ dev }, { bavail, bfree, bsize, blocks }] = await Promise.all([stat(folder), statfs(folder)]);
  const space = { bytes: bavail * bsize, used: (blocks - bfree) * bsize };
  return { disk: dev, space: blocks === 0 ? null : space };
}
