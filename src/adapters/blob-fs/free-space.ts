import { statfs } from "node:fs/promises";

/** Bytes that may still be written where the folder is; null where the file system does not tell. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return blocks === 0 ? null : bavail * bsize;
}
