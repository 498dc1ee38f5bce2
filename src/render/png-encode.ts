import { type Bitmap, wordsOf } from "./bitmap.ts";
import { type Chunk, headerChunk, joinChunks } from "./png-format.ts";
import { indexColours, type IndexedBitmap } from "./png-palette.ts";

/** Indices are few bytes, so their level may take its time; below 6, flat pictures grow by a third. */
const indexedLevel = 6;
/** Measured on players of 100 to 512 pixels: two thirds of the time of level 6 for 4 % more bytes. */
const trueColourLevel = 4;

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
    imageData(packIndices(indexed.indices, width, depth), indexedLevel),
    { type: "IEND", data: new Uint8Array(0) },
  ]);
}

/**
 * Rows of a palette picture: filter byte and packed indices. Neighbouring numbers mean nothing to each other, so they
 * are not filtered, except that a row like the one above becomes filter 2 (Up) and zeros: flat pictures are full of
 * those.
 */
function packIndices(indices: Uint8Array, width: number, depth: number): Uint8Array<ArrayBuffer> {
  const rowBytes = 1 + Math.ceil((width * depth) / 8);
  const rows = new Uint8Array((indices.length / width) * rowBytes);
  for (let from = 0, to = 0; from < indices.length; from += width, to += rowBytes) {
    if (from > 0 && isRowRepeated(indices, from, width)) rows[to] = 2;
    else if (depth === 8) rows.set(indices.subarray(from, from + width), to + 1);
    else packRow(indices.subarray(from, from + width), rows.subarray(to + 1, to + rowBytes), depth);
  }
  return rows;
}

function isRowRepeated(indices: Uint8Array, from: number, width: number): boolean {
  for (let i = from; i < from + width; i++) if (indices[i] !== indices[i - width]) return false;
  return true;
}

function packRow(indices: Uint8Array, row: Uint8Array, depth: number): void {
  for (let x = 0; x < indices.length; x++) {
    const bit = x * depth;
    row[bit >> 3] = (row[bit >> 3] ?? 0) | ((indices[x] ?? 0) << (8 - depth - (bit & 7)));
  }
}

function encodeTrueColour(bitmap: Bitmap): Uint8Array {
  const { width, height } = bitmap;
  const words = wordsOf(bitmap);
  const opaque = words.every((word) => word >>> 24 === 255);
  return joinChunks([
    headerChunk(width, height, 8, opaque ? 2 : 6),
    imageData(filterPaeth(words, width, opaque ? 3 : 4), trueColourLevel),
    { type: "IEND", data: new Uint8Array(0) },
  ]);
}

/**
 * Rows with filter 4 (Paeth): each byte less the one of its left, upper or upper left neighbour that comes closest to
 * left + upper - upper left. Texels are larger than pixels, so mostly two of the three pixels are equal; then the guess
 * is the third, for all channels at once, and mostly right. Rows begin as zeros, so that a right guess writes nothing.
 */
function filterPaeth(words: Uint32Array, width: number, channels: 3 | 4): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((words.length / width) * (width * channels + 1));
  let to = 0;
  for (let row = 0; row < words.length; row += width) {
    rows[to++] = 4;
    let left = 0;
    let upperLeft = 0;
    for (let i = row; i < row + width; i++, to += channels) {
      const word = words[i] ?? 0;
      const upper = row === 0 ? 0 : (words[i - width] ?? 0);
      const guess = upper === upperLeft ? left : left === upperLeft ? upper : paeth(left, upper, upperLeft);
      if (word !== guess) {
        for (let at = to, shift = 0; at < to + channels; at++, shift += 8) {
          rows[at] = (word >>> shift) - (guess >>> shift);
        }
      }
      left = word;
      upperLeft = upper;
    }
  }
  return rows;
}

/** Paeth's guess for each channel of three pixels. */
function paeth(left: number, upper: number, upperLeft: number): number {
  let guess = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const a = (left >>> shift) & 255;
    const b = (upper >>> shift) & 255;
    const c = (upperLeft >>> shift) & 255;
    const toLeft = Math.abs(b - c);
    const toUpper = Math.abs(a - c);
    const toUpperLeft = Math.abs(a + b - 2 * c);
    const nearest = toLeft <= toUpper && toLeft <= toUpperLeft ? a : toUpper <= toUpperLeft ? b : c;
    guess |= nearest << shift;
  }
  return guess >>> 0;
}

/** Deflates natively and adds what makes the stream zlib: two header bytes and Adler-32 (RFC 1950). */
function imageData(rows: Uint8Array<ArrayBuffer>, level: 4 | 6): Chunk {
  const deflated = Bun.deflateSync(rows, { level });
  const data = new Uint8Array(deflated.length + 6);
  data.set([0x78, 0x9c]);
  data.set(deflated, 2);
  new DataView(data.buffer).setUint32(deflated.length + 2, Bun.hash.adler32(rows));
  return { type: "IDAT", data };
}
