import { type Bitmap, wordsOf } from "../../render/bitmap.ts";
import { parseTextureHash, type TextureHash } from "../../kernel/ids.ts";

/**
 * Names a bitmap by the rule of the authlib-injector specification ("texture hash"): SHA-256 over width and
 * height as big-endian 32-bit numbers, then column by column each pixel as A, R, G, B, where R, G and B count
 * as 0 under A = 0.
 */
export function bitmapHash(bitmap: Bitmap): TextureHash {
  const { width, height } = bitmap;
  const pixels = wordsOf(bitmap);
  const words = new Uint32Array(2 + pixels.length);
  const header = new DataView(words.buffer);
  header.setUint32(0, width);
  header.setUint32(4, height);
  let at = 2;
  for (let x = 0; x < width; x++) {
    for (let i = x; i < pixels.length; i += width) {
      const word = pixels[i] ?? 0;
      const alpha = word >>> 24;
      // A word's lowest byte comes first in memory, so turning it by one byte brings alpha before red.
      words[at++] = alpha === 0 ? 0 : (word << 8) | alpha;
    }
  }
  const hash = parseTextureHash(sha256Hex(new Uint8Array(words.buffer)));
  if (hash === null) throw new Error("SHA-256 has 64 hex digits");
  return hash;
}

/** Hex SHA-256 of a file's bytes: what launchers call its digest. */
export function sha256Hex(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
