import { type Bitmap } from "./bitmap.ts";
import { type Chunk, headerChunk, joinChunks } from "./png-format.ts";
import { indexColours, type IndexedBitmap } from "./png-palette.ts";

/** Renders are stored for minutes and sent many times, but a visitor waits: the fastest level that is not wasteful. */
const deflateLevel = 6;

/**
 * Writes a bitmap as PNG without loss, colour under alpha 0 included: with a palette (colour type 3, the smallest bit
 * depth that fits) when it has at most 256 colours, else as RGB or RGBA. Not interlaced, no metadata.
 */
export function encodePng(bitmap: Bitmap): Uint8Array {
  const indexed = indexColours(bitmap);
  return indexed ? encodeIndexed(bitmap, indexed) : encodeTrueColour(bitmap);
}

function encodeIndexed({ width, height }: Bitmap, indexed: IndexedBitmap): Uint8Array {
  const { colours, translucentCount } = indexed;
  const depth = colours.length <= 2 ? 1 : colours.length <= 4 ? 2 : colours.length <= 16 ? 4 : 8;
  const palette = new Uint8Array(colours.length * 3);
  const alphas = new Uint8Array(translucentCount);
  for (const [i, word] of colours.entries()) {
    palette.set([word & 255, (word >>> 8) & 255, (word >>> 16) & 255], i * 3);
    if (i < translucentCount) alphas[i] = word >>> 24;
  }
  return joinChunks([
    headerChunk(width, height, depth, 3),
    { type: "PLTE", data: palette },
    ...(translucentCount > 0 ? [{ type: "tRNS", data: alphas }] : []),
    imageData(packIndices(indexed.indices, width, depth)),
    { type: "IEND", data: new Uint8Array(0) },
  ]);
}

/** Rows of a palette picture: filter byte 0 (neighbouring numbers mean nothing to each other), then packed indices. */
function packIndices(indices: Uint8Array, width: number, depth: number): Uint8Array<ArrayBuffer> {
  const perByte = 8 / depth;
  const rowBytes = 1 + Math.ceil(width / perByte);
  const rows = new Uint8Array((indices.length / width) * rowBytes);
  for (let from = 0, to = 1; from < indices.length; from += width, to += rowBytes) {
    if (depth === 8) rows.set(indices.subarray(from, from + width), to);
    else packRow(indices.subarray(from, from + width), rows.subarray(to, to + rowBytes - 1), depth);
  }
  return rows;
}

function packRow(indices: Uint8Array, row: Uint8Array, depth: number): void {
  for (let x = 0; x < indices.length; x++) {
    const bit = x * depth;
    row[bit >> 3] = (row[bit >> 3] ?? 0) | ((indices[x] ?? 0) << (8 - depth - (bit & 7)));
  }
}

function encodeTrueColour(bitmap: Bitmap): Uint8Array {
  const { width, height } = bitmap;
  const opaque = isOpaque(bitmap);
  const pixels = opaque ? withoutAlpha(bitmap.data) : bitmap.data;
  const pixelBytes = opaque ? 3 : 4;
  return joinChunks([
    headerChunk(width, height, 8, opaque ? 2 : 6),
    imageData(filterUp(pixels, width * pixelBytes)),
    { type: "IEND", data: new Uint8Array(0) },
  ]);
}

/** Rows with filter 2: each byte less the one above. Texels are taller than a pixel, so most of the rest is zero. */
function filterUp(pixels: Uint8Array, rowBytes: number): Uint8Array<ArrayBuffer> {
  const height = pixels.length / rowBytes;
  const rows = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    const to = y * (rowBytes + 1) + 1;
    const from = y * rowBytes;
    rows[to - 1] = 2;
    for (let i = 0; i < rowBytes; i++) {
      rows[to + i] = (pixels[from + i] ?? 0) - (y === 0 ? 0 : (pixels[from + i - rowBytes] ?? 0));
    }
  }
  return rows;
}

function isOpaque(bitmap: Bitmap): boolean {
  for (let i = 3; i < bitmap.data.length; i += 4) if (bitmap.data[i] !== 255) return false;
  return true;
}

function withoutAlpha(data: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from] ?? 0;
    rgb[to + 1] = data[from + 1] ?? 0;
    rgb[to + 2] = data[from + 2] ?? 0;
  }
  return rgb;
}

/** Deflates natively and adds what makes the stream zlib: two header bytes and Adler-32 (RFC 1950). */
function imageData(rows: Uint8Array<ArrayBuffer>): Chunk {
  const deflated = Bun.deflateSync(rows, { library: "libdeflate", level: deflateLevel });
  const data = new Uint8Array(deflated.length + 6);
  data.set([0x78, 0x9c]);
  data.set(deflated, 2);
  new DataView(data.buffer).setUint32(deflated.length + 2, Bun.hash.adler32(rows));
  return { type: "IDAT", data };
}
