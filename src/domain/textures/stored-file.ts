import type { Texture } from "../model/texture.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { sha256Hex } from "./hashes.ts";

/**
 * The bytes of a texture's file. Disks lose bits, people edit files, and lines change bytes: what is not what
 * the row says is `damaged`, and is neither decoded nor answered with. Fails as the store's `read` does.
 */
export async function readTexture(
  blobs: Pick<BlobStore, "read">,
  { file, digest }: Pick<Texture, "file" | "digest">,
): Promise<Uint8Array | "missing" | "damaged"> {
  const bytes = await blobs.read(file);
  if (bytes === null) return "missing";
  return sha256Hex(bytes) === digest ? bytes : "damaged";
}
