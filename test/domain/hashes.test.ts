import { expect, test } from "bun:test";
import { bitmapHash, sha256Hex } from "../../src/domain/textures/hashes.ts";
import type { Bitmap } from "../../src/render/bitmap.ts";
import * as independent from "../support/textures.ts";

const bitmap = (width: number, height: number, ...pixels: readonly number[]): Bitmap => ({
  width,
  height,
  data: Uint8Array.from(pixels.flatMap((rgba) => [rgba >>> 24, rgba >>> 16, rgba >>> 8, rgba])),
});

test("a bitmap's name is that of its bytes as the specification orders them", () => {
  const bytes = ["00000002", "00000001", "ff112233", "80aabbcc"].join("");
  const expected = independent.sha256(new Uint8Array(Buffer.from(bytes, "hex")));
  expect<string>(bitmapHash(bitmap(2, 1, 0x112233ff, 0xaabbcc80))).toBe(expected);
});

test("columns go before rows", () => {
  const bytes = ["00000002", "00000002", "ff000001", "ff000003", "ff000002", "ff000004"].join("");
  const expected = independent.sha256(new Uint8Array(Buffer.from(bytes, "hex")));
  expect<string>(bitmapHash(bitmap(2, 2, 0x1ff, 0x2ff, 0x3ff, 0x4ff))).toBe(expected);
});

test("colour under alpha 0 does not count, colour under alpha 1 does", () => {
  expect(bitmapHash(bitmap(1, 1, 0x11223300))).toBe(bitmapHash(bitmap(1, 1, 0)));
  expect(bitmapHash(bitmap(1, 1, 0x11223301))).not.toBe(bitmapHash(bitmap(1, 1, 1)));
});

test("the same pixels in another shape have another name", () => {
  const shapes = [bitmap(4, 1, 1, 1, 1, 1), bitmap(1, 4, 1, 1, 1, 1), bitmap(2, 2, 1, 1, 1, 1)];
  expect(new Set(shapes.map(bitmapHash)).size).toBe(3);
});

test.each([
  [64, 64],
  [64, 32],
  [128, 64],
])("agrees with code written apart from it on %d x %d", (width, height) => {
  const picture = independent.skinBitmap(width, { width, height });
  expect<string>(bitmapHash(picture)).toBe(independent.bitmapHash(picture));
});

test("does not mind where in a larger buffer the pixels lie", () => {
  const picture = independent.skinBitmap(5);
  const shifted = new Uint8Array(picture.data.length + 3);
  shifted.set(picture.data, 3);
  expect(bitmapHash({ ...picture, data: shifted.subarray(3) })).toBe(bitmapHash(picture));
});

test("a file's digest is its SHA-256", () => {
  expect(sha256Hex(new Uint8Array())).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});
