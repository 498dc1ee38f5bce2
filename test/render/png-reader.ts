/**
 * A plain PNG reader of the tests' own: the oracle for what the encoder writes. Checks CRCs; no interlacing.
 */
import { inflateSync } from "node:zlib";
import type { Bitmap } from "../../src/render/bitmap.ts";
import { encodeChunk, paeth, splitChunks } from "./png-fixtures.ts";

const channelCounts: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export type ReadPng = Bitmap & { colourType: number; depth: number; types: string[] };

export function readPng(png: Uint8Array): ReadPng {
  const chunks = splitChunks(png);
  const rebuilt = Buffer.concat([png.subarray(0, 8), ...chunks.map(encodeChunk)]);
  if (!rebuilt.equals(png)) throw new Error("a CRC or length is wrong");
  const view = new DataView(chunks[0]!.data.buffer);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colourType, , , interlace] = chunks[0]!.data.subarray(8);
  if (interlace !== 0 || depth === undefined || colourType === undefined) throw new Error("unsupported");
  const find = (type: string) => chunks.find((chunk) => chunk.type === type)?.data;
  const idat = Buffer.concat(chunks.filter((chunk) => chunk.type === "IDAT").map((chunk) => chunk.data));
  const bitsPerPixel = depth * channelCounts[colourType]!;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const rows = inflateSync(idat);
  if (rows.length !== height * (rowBytes + 1)) throw new Error("wrong number of bytes");
  const data = new Uint8Array(width * height * 4);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const at = y * (rowBytes + 1);
    above = unfilter(
      rows.subarray(at + 1, at + 1 + rowBytes),
      above,
      rows[at]!,
      Math.max(1, bitsPerPixel >> 3),
    );
    for (let x = 0; x < width; x++) {
      data.set(
        pixel(above, x, { depth, colourType, plte: find("PLTE"), trns: find("tRNS") }),
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, data, colourType, depth, types: chunks.map((chunk) => chunk.type) };
}

function unfilter(coded: Uint8Array, above: Uint8Array, filter: number, reach: number) {
  const row = new Uint8Array(coded.length);
  for (let i = 0; i < row.length; i++) {
    const a = row[i - reach] ?? 0;
    const b = above[i]!;
    const c = above[i - reach] ?? 0;
    const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
    if (guess === undefined) throw new Error("unknown filter");
    row[i] = coded[i]! + guess;
  }
  return row;
}

type Meaning = {
  depth: number;
  colourType: number;
  plte: Uint8Array | undefined;
  trns: Uint8Array | undefined;
};

function pixel(row: Uint8Array, x: number, { depth, colourType, plte, trns }: Meaning): number[] {
  if (colourType === 6) return [...row.subarray(x * 4, x * 4 + 4)];
  if (colourType === 2) return [...row.subarray(x * 3, x * 3 + 3), 255];
  if (colourType !== 3 || !plte) throw new Error("unsupported colour type");
  const bit = x * depth;
  const index = (row[bit >> 3]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  if (index * 3 >= plte.length) throw new Error("index outside the palette");
  return [...plte.subarray(index * 3, index * 3 + 3), trns?.[index] ?? 255];
}
