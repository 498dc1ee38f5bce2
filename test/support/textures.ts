import { join } from "node:path";
import { createHash } from "node:crypto";
import type { Bitmap } from "../../src/render/bitmap.ts";
import { makePng, pngOf, uint32 } from "../render/png-fixtures.ts";

/** A skin whose pixels depend on the seed. Its arms are four wide, and its hat has holes. */
export function skinPng(seed: number, size: { width?: number; height?: number } = {}): Uint8Array {
  return pngOf(skinBitmap(seed, size));
}

/** One without pixels where arms that are three wide have none. */
export function slimSkinPng(seed: number): Uint8Array {
  const bitmap = skinBitmap(seed);
  for (let y = 20; y < 32; y++) bitmap.data.fill(0, (y * 64 + 54) * 4, (y * 64 + 56) * 4);
  return pngOf(bitmap);
}

export function skinBitmap(
  seed: number,
  { width = 64, height = width }: { width?: number; height?: number } = {},
): Bitmap {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const hat = x >= width / 2 && y < width / 4;
      const alpha = hat && x % 2 === 0 ? 0 : 255;
      data.set(
        [(x * 5 + seed) & 255, (y * 7 + (seed >> 8)) & 255, (x * y) & 255, alpha],
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, data };
}

/**
 * A 64x32 cape of one colour with a mark. Where an elytra's wings lie it is transparent, unless they are
 * asked for.
 */
export function capePng(seed: number, { width = 64, height = 32, wings = false } = {}): Uint8Array {
  const colour = [seed & 255, (seed >> 8) & 255, 90, 255];
  const sample = (x: number, y: number, channel: number) => {
    if (!wings && x >= (22 * width) / 64 && width === height * 2) return 0;
    return x === 1 && y === 1 ? 255 : colour[channel]!;
  };
  return makePng({ width, height, colourType: 6, depth: 8, sample });
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The bitmap's name by the authlib-injector specification, written from its text and not from our code. */
export function bitmapHash({ width, height, data }: Bitmap): string {
  const hash = createHash("sha256");
  hash.update(uint32(width, height));
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4);
      hash.update(Uint8Array.from(a === 0 ? [0, 0, 0, 0] : [a, r, g, b]));
    }
  }
  return hash.digest("hex");
}

/** Width and height as the file's header has them. */
export function sizeOf(png: Uint8Array): string {
  const header = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  return `${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`;
}

/** The paths of the files that hold this bitmap, in the textures of a data folder. */
export async function textureFiles(dataDir: string, hash: string): Promise<readonly string[]> {
  const textures = join(dataDir, "textures");
  return Array.fromAsync(new Bun.Glob(`*/${hash}*.png`).scan({ cwd: textures, absolute: true }));
}

/** The path of the only one. */
export async function textureFile(dataDir: string, hash: string): Promise<string> {
  const [path, ...others] = await textureFiles(dataDir, hash);
  if (path === undefined || others.length > 0) throw new Error(`not one file holds ${hash}`);
  return path;
}
