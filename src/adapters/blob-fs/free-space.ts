import { stat, statfs } from "node:fs/promises";
import type { FreeSpace } from "../../domain/ports/storage-probe.ts";

/**
 * What may still be written where the data is, and where the textures are if that is a disk of their own. A file system that does
 * not tell is left out.
 */
export async function freeSpaceOf(dataDir: string, textures: string): Promise<readonly FreeSpace[]> {
  const data = await lookAt(dataDir);
  // A folder that is not there has no space to tell of: that it cannot be written is found where that is tried.
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
