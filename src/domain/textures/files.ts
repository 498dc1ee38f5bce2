import { AppError } from "../../kernel/errors.ts";
import type { TextureHash } from "../../kernel/ids.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import type { IncomingTexture } from "../ports/pictures.ts";
import type { TextureStore } from "../ports/texture-store.ts";

/**
 * How files and rows stay together: a file is on disk before the row that names it is committed, and it goes after the row
 * has gone. Both steps happen while the transaction holds the database's write lock, so no other upload of the same bitmap
 * comes in between; a crash can leave a file without a row, never a row without its file.
 */

type FileDeps = { readonly transact: Transact; readonly blobs: BlobStore };

/**
 * Runs the work in a transaction in which the texture has its row, and keeps its file when nothing in it failed. Every
 * texture comes in here, so a banned bitmap is refused here: with invalid.
 */
export async function withTexture<T>(
  deps: FileDeps,
  incoming: IncomingTexture & { readonly createdAt: number },
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  await using staged = await deps.blobs.stage(incoming.png);
  const { texture, createdAt } = incoming;
  // Awaited here, because leaving this function disposes of what is staged.
  return await deps.transact(async (stores) => {
    // Within the transaction: a ban that is placed meanwhile comes before this or after it, never in between.
    if ((await stores.textures.findBan(texture.hash)) !== null)
      throw new AppError("invalid", "this picture is banned here; choose another one");
    const known = await stores.textures.findTexture(texture.hash);
    if (known === null) await stores.textures.insertTexture({ ...texture, createdAt });
    const result = await work(stores);
    // Last, so that work that fails leaves no file. A known file that is missing on disk is mended only by the very same
    // bytes: the row holds their digest.
    const fits = known === null || (known.digest === texture.digest && !(await deps.blobs.has(texture.hash)));
    if (fits) await staged.publish(texture.hash);
    return result;
  });
}

/** Within a transaction: removes the rows among these that nothing refers to any more, and tells which. */
export async function releaseTextures(
  textures: TextureStore,
  hashes: readonly TextureHash[],
): Promise<readonly TextureHash[]> {
  const freed: TextureHash[] = [];
  for (const hash of new Set(hashes)) {
    if (await textures.deleteTextureIfUnused(hash)) freed.push(hash);
  }
  return freed;
}

/**
 * After that transaction: removes their files, except those that have a row again by now. It needs no right: the change may
 * have ended the right of the person who made it.
 */
export type DropFiles = (hashes: readonly TextureHash[]) => Promise<void>;

/** Makes what removes files. */
export function fileDropper({ transact, blobs }: FileDeps): DropFiles {
  return async (hashes) => {
    if (hashes.length === 0) return;
    await transact(async ({ textures }) => {
      for (const hash of hashes) {
        if ((await textures.findTexture(hash)) === null) await blobs.delete(hash);
      }
    });
  };
}
