import { constants, deflateRawSync, deflateSync } from "node:zlib";
import {
  concat,
  filteredRows,
  joinChunks,
  makeChunks,
  type Chunk,
  type ColourType,
  type PngShape,
  uint32,
} from "../render/png-fixtures.ts";

/** A sound skin, whose parts hostile files are put together from. */
export const soundShape: PngShape = {
  width: 64,
  height: 64,
  colourType: 6,
  depth: 8,
  filter: "mixed",
  sample: (x, y, channel) => (channel === 3 ? 255 - (x % 3) * 100 : (x * 3 + y * 5 + channel * 70) & 255),
};
export const [soundHeader, soundData, soundEnd] = makeChunks(soundShape) as [Chunk, Chunk, Chunk];

/** The sound header with another size. */
export function headerOf(width: number, height: number): Chunk {
  return { type: "IHDR", data: concat(uint32(width, height), soundHeader.data.subarray(8)) };
}

/** A file that says one size and holds the image data of another. */
export function lyingPng(width: number, height: number): Uint8Array {
  return joinChunks([headerOf(width, height), soundData, soundEnd]);
}

/** A sound file of exactly that many bytes: the surplus is a comment. */
export function pngOfLength(bytes: number): Uint8Array {
  const plain = joinChunks([soundHeader, soundData, soundEnd]);
  const comment = new Uint8Array(bytes - plain.length - 12).fill(0x20);
  return joinChunks([soundHeader, { type: "tEXt", data: comment }, soundData, soundEnd]);
}

/**
 * A 64x64 file whose image data inflates to that many MiB of zeros. Deflate forgets what came before after
 * each MiB, so the bytes of one are those of all, and nothing has to be compressed for long.
 */
export function bombPng(mebibytes: number): Uint8Array {
  const size = 1 << 20;
  const block = deflateRawSync(new Uint8Array(size), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: mebibytes }, () => block);
  // Adler-32 of n zeros: the first sum stays 1, the second counts them.
  const adler = (((mebibytes * size) % 65_521) << 16) | 1;
  const stream = concat(Uint8Array.of(0x78, 0xda), ...blocks, Uint8Array.of(3, 0), uint32(adler >>> 0));
  return joinChunks([soundHeader, { type: "IDAT", data: stream }, soundEnd]);
}

/** Image data with more or fewer rows than the header promises. */
export function rowsPng(change: (rows: Uint8Array) => Uint8Array): Uint8Array {
  const data = new Uint8Array(deflateSync(change(filteredRows(soundShape))));
  return joinChunks([soundHeader, { type: "IDAT", data }, soundEnd]);
}

/**
 * A 64x64 picture of any kind that PNG knows, with a palette and transparent colours where the kind has them.
 */
export function legalShape(colourType: ColourType, depth: PngShape["depth"], interlaced: boolean): PngShape {
  const max = 2 ** depth - 1;
  const shape: PngShape = {
    width: 64,
    height: 64,
    colourType,
    depth,
    interlaced,
    filter: "mixed",
    sample: (x, y, channel) => (x * 40_503 + y * 10_007 + channel * 977 + x * y * 131) % (max + 1),
  };
  if (colourType === 0) return { ...shape, transparency: [max] };
  if (colourType === 2) return { ...shape, transparency: [0, 977, 1954].map((value) => value % (max + 1)) };
  if (colourType !== 3) return shape;
  const palette = Array.from(
    { length: max + 1 },
    (_, i) => [i & 255, (i * 7) & 255, (i * 91) & 255] as const,
  );
  return { ...shape, palette, transparency: palette.map((_, i) => (i % 3 === 0 ? 0 : 255 - i)) };
}
