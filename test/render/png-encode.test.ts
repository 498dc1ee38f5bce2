import { describe, expect, test } from "bun:test";
import { type Bitmap, createCanvas } from "../../src/render/bitmap.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { readPng } from "./png-reader.ts";

/** A picture in which colour number i is the i-th that occurs. It is opaque unless `alpha` says otherwise. */
function pictureOf(
  width: number,
  height: number,
  colours: number,
  alpha?: (colour: number) => number,
): Bitmap {
  const canvas = createCanvas(width, height);
  for (let i = 0; i < width * height; i++) {
    const colour = i % colours;
    canvas.data.set([colour & 255, colour >> 8, (colour * 5) & 255, alpha?.(colour) ?? 255], i * 4);
  }
  return canvas;
}

describe("encodePng", () => {
  test.each([
    ["one pixel", pictureOf(1, 1, 1), 3, 1],
    ["two colours in rows that end inside a byte", pictureOf(13, 3, 2), 3, 1],
    ["three colours", pictureOf(13, 3, 3), 3, 2],
    ["four colours", pictureOf(13, 3, 4), 3, 2],
    ["five colours", pictureOf(13, 3, 5), 3, 4],
    ["16 colours", pictureOf(13, 3, 16), 3, 4],
    ["17 colours", pictureOf(13, 3, 17), 3, 8],
    ["8 x 8 pixels with 64 colours", pictureOf(8, 8, 64), 3, 8],
    ["255 colours", pictureOf(32, 32, 255), 3, 8],
    ["256 colours", pictureOf(32, 32, 256), 3, 8],
    ["257 opaque colours", pictureOf(32, 32, 257), 2, 8],
    ["257 colours, some translucent", pictureOf(32, 32, 257, (i) => i % 200), 6, 8],
    ["256 colours of every alpha", pictureOf(16, 16, 256, (i) => i), 3, 8],
    ["a large opaque picture of many colours", pictureOf(300, 300, 5000), 2, 8],
    ["a large picture of many colours and alphas", pictureOf(300, 300, 5000, (i) => i & 255), 6, 8],
    ["a wide row", pictureOf(1024, 1, 300, (i) => i & 255), 6, 8],
  ])("keeps every pixel: %s", (_, bitmap, colourType, depth) => {
    const read = readPng(encodePng(bitmap));
    expect({ colourType: read.colourType, depth: read.depth }).toEqual({ colourType, depth });
    expect([read.width, read.height]).toEqual([bitmap.width, bitmap.height]);
    expect(Buffer.compare(read.data, bitmap.data)).toBe(0);
  });

  test("keeps colour that hides under alpha 0", () => {
    const bitmap = pictureOf(4, 4, 16, (i) => (i % 2) * 255);
    expect(Buffer.compare(readPng(encodePng(bitmap)).data, bitmap.data)).toBe(0);
  });

  test("reads pixels from an odd place of a larger buffer", () => {
    const bitmap = pictureOf(8, 8, 7);
    const buffer = new Uint8Array(1 + bitmap.data.length);
    buffer.set(bitmap.data, 1);
    expect(encodePng({ ...bitmap, data: buffer.subarray(1) })).toEqual(encodePng(bitmap));
  });

  test("writes no metadata", () => {
    expect(readPng(encodePng(pictureOf(8, 8, 5, (i) => i))).types).toEqual([
      "IHDR",
      "PLTE",
      "tRNS",
      "IDAT",
      "IEND",
    ]);
    expect(readPng(encodePng(pictureOf(8, 8, 5))).types).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
    expect(readPng(encodePng(pictureOf(32, 32, 300))).types).toEqual(["IHDR", "IDAT", "IEND"]);
  });
});
