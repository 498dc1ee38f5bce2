/**
 * A small PNG writer of the tests' own, independent of the code under test: any colour type, bit depth,
 * filter and interlacing, and broken files on request.
 */
import { crc32, deflateSync } from "node:zlib";
import type { Bitmap } from "../../src/render/bitmap.ts";

export type ColourType = 0 | 2 | 3 | 4 | 6;
export type PngShape = {
  width: number;
  height: number;
  colourType: ColourType;
  depth: 1 | 2 | 4 | 8 | 16;
  interlaced?: boolean;
  /** One filter for every row, or all five in turn. */
  filter?: 0 | 1 | 2 | 3 | 4 | "mixed";
  /** RGB triples. */
  palette?: readonly (readonly [number, number, number])[];
  /** tRNS: one alpha per palette entry, or one sample per channel of the transparent colour. */
  transparency?: readonly number[];
  /** The sample at a place, 0 to 2^depth - 1. */
  sample: (x: number, y: number, channel: number) => number;
};
export type Chunk = { type: string; data: Uint8Array };

export const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const channelCounts = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Every pair of colour type and depth that the PNG standard allows. */
export const colourShapes: readonly { colourType: ColourType; depth: PngShape["depth"] }[] = [
  ...([1, 2, 4, 8, 16] as const).map((depth) => ({ colourType: 0 as const, depth })),
  ...([8, 16] as const).map((depth) => ({ colourType: 2 as const, depth })),
  ...([1, 2, 4, 8] as const).map((depth) => ({ colourType: 3 as const, depth })),
  ...([8, 16] as const).map((depth) => ({ colourType: 4 as const, depth })),
  ...([8, 16] as const).map((depth) => ({ colourType: 6 as const, depth })),
];

export function uint32(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint32(i * 4, value));
  return bytes;
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function encodeChunk({ type, data }: Chunk): Uint8Array {
  const body = concat(Buffer.from(type, "latin1"), data);
  return concat(uint32(data.length), body, uint32(crc32(body)));
}

export function joinChunks(chunks: readonly Chunk[]): Uint8Array {
  return concat(signature, ...chunks.map(encodeChunk));
}

export function splitChunks(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const type = Buffer.from(png.subarray(at + 4, at + 8)).toString("latin1");
    chunks.push({ type, data: png.slice(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function headerChunk(shape: Omit<PngShape, "sample">): Chunk {
  const tail = Uint8Array.of(shape.depth, shape.colourType, 0, 0, shape.interlaced ? 1 : 0);
  return { type: "IHDR", data: concat(uint32(shape.width, shape.height), tail) };
}

/** The chunks of a sound file: IHDR, PLTE and tRNS where given, one IDAT, IEND. */
export function makeChunks(shape: PngShape): Chunk[] {
  const chunks = [headerChunk(shape)];
  if (shape.palette) chunks.push({ type: "PLTE", data: Uint8Array.from(shape.palette.flat()) });
  if (shape.transparency) {
    const wide = shape.transparency.flatMap((value) => [value >> 8, value & 255]);
    chunks.push({
      type: "tRNS",
      data: Uint8Array.from(shape.colourType === 3 ? shape.transparency : wide),
    });
  }
  chunks.push({ type: "IDAT", data: new Uint8Array(deflateSync(filteredRows(shape))) });
  chunks.push({ type: "IEND", data: new Uint8Array(0) });
  return chunks;
}

export function makePng(shape: PngShape): Uint8Array {
  return joinChunks(makeChunks(shape));
}

/** An ordinary 8-bit RGBA file of a bitmap. */
export function pngOf(bitmap: Bitmap): Uint8Array {
  return makePng({
    width: bitmap.width,
    height: bitmap.height,
    colourType: 6,
    depth: 8,
    sample: (x, y, channel) => bitmap.data[(y * bitmap.width + x) * 4 + channel]!,
  });
}

/** The pixels that a right decoder finds in the file: 8-bit RGBA; of 16-bit samples the high byte. */
export function expectedBitmap(shape: PngShape): Bitmap {
  const data = new Uint8Array(shape.width * shape.height * 4);
  for (let y = 0; y < shape.height; y++) {
    for (let x = 0; x < shape.width; x++) data.set(expectedPixel(shape, x, y), (y * shape.width + x) * 4);
  }
  return { width: shape.width, height: shape.height, data };
}

/** Row bytes before deflating: filter byte and filtered samples, in passes when interlaced. */
export function filteredRows(shape: PngShape): Uint8Array {
  const passes = shape.interlaced ? adam7 : [[0, 0, 1, 1] as const];
  return concat(...passes.map((pass) => filteredPass(shape, pass)));
}

function expectedPixel(shape: PngShape, x: number, y: number): number[] {
  const samples = Array.from({ length: channelCounts[shape.colourType] }, (_, i) => shape.sample(x, y, i));
  const to8 = (value: number) => (shape.depth === 16 ? value >> 8 : (value * 255) / (2 ** shape.depth - 1));
  const keyed = shape.transparency?.every((value, i) => value === samples[i]) ?? false;
  const [a = 0, b = 0, c = 0, d = 0] = samples;
  if (shape.colourType === 0) return [to8(a), to8(a), to8(a), keyed ? 0 : 255];
  if (shape.colourType === 2) return [to8(a), to8(b), to8(c), keyed ? 0 : 255];
  if (shape.colourType === 3) return [...shape.palette![a]!, shape.transparency?.[a] ?? 255];
  if (shape.colourType === 4) return [to8(a), to8(a), to8(a), to8(b)];
  return [to8(a), to8(b), to8(c), to8(d)];
}

function filteredPass(shape: PngShape, pass: readonly [number, number, number, number]): Uint8Array {
  const [left, top, stepX, stepY] = pass;
  const width = Math.ceil((shape.width - left) / stepX);
  const height = Math.ceil((shape.height - top) / stepY);
  if (width <= 0 || height <= 0) return new Uint8Array(0);
  const bitsPerPixel = channelCounts[shape.colourType] * shape.depth;
  const reach = Math.max(1, bitsPerPixel >> 3);
  const rows: Uint8Array[] = [];
  let above = new Uint8Array(Math.ceil((width * bitsPerPixel) / 8));
  for (let y = 0; y < height; y++) {
    const row = packRow(shape, width, (i) => [left + i * stepX, top + y * stepY]);
    const filter = shape.filter === "mixed" ? y % 5 : (shape.filter ?? 0);
    rows.push(Uint8Array.of(filter), filterRow(row, above, reach, filter));
    above = row;
  }
  return concat(...rows);
}

function packRow(shape: PngShape, width: number, place: (i: number) => [number, number]) {
  const channels = channelCounts[shape.colourType];
  const row = new Uint8Array(Math.ceil((width * channels * shape.depth) / 8));
  for (let i = 0; i < width * channels; i++) {
    const [x, y] = place(Math.floor(i / channels));
    const value = shape.sample(x, y, i % channels);
    const bit = i * shape.depth;
    if (shape.depth === 16) row.set([value >> 8, value & 255], bit >> 3);
    else row[bit >> 3]! |= value << (8 - shape.depth - (bit & 7));
  }
  return row;
}

function filterRow(row: Uint8Array, above: Uint8Array, reach: number, filter: number): Uint8Array {
  return row.map((value, i) => {
    const a = row[i - reach] ?? 0;
    const b = above[i] ?? 0;
    const c = i < reach ? 0 : above[i - reach]!;
    const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
    return value - guess;
  });
}

export function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}
