import type { Bitmap } from "../../render/bitmap.ts";
import { parseTextureHash, type TextureHash } from "../../kernel/ids.ts";

/**
 * Names a bitmap by the rule of the authlib-injector specification ("texture hash"): SHA-256 over width and height as
 * big-endian 32-bit numbers, then column by column each pixel as A, R, G, B, where R, G and B count as 0 under A = 0.
 */
export function bitmapHash({ width, height, data }: Bitmap): TextureHash {
  const bytes = new Uint8Array(8 + width * height * 4);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, width);
  header.setUint32(4, height);
  const pixels = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 8;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++, at += 4) {
      const rgba = pixels.getUint32((y * width + x) * 4);
      const alpha = rgba & 0xff;
      header.setUint32(at, alpha === 0 ? 0 : (alpha << 24) | (rgba >>> 8));
    }
  }
  const hash = parseTextureHash(sha256Hex(bytes));
  if (hash === null) throw new Error("SHA-256 has 64 hex digits");
  return hash;
}

/** Hex SHA-256 of a file's bytes: what launchers call its digest. */
export function sha256Hex(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
