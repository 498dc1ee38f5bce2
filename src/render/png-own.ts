import { nodeParts } from "../kernel/node-parts.ts";
import { type Canvas, createCanvas, signedWords } from "./bitmap.ts";
import { undoPaeth } from "./paeth.ts";

/*
 * Reads what `encodePng` writes, several times as fast as a reader of all PNGs. Files are compared with their
 * digests before they get here, so neither CRCs nor the checksum behind the image data are looked at. Sizes
 * are checked all the same before anything is inflated, and no index leaves its array.
 */

/** A picture of one of our files, or its upper rows. */
export type OwnPicture = {
  readonly canvas: Canvas;
  /** What the file says of the whole picture: every pixel is opaque. */
  readonly isOpaque: boolean;
};

type Size = { readonly width: number; readonly height: number };

/** A file as `encodePng` writes it, taken apart. */
type Parts = Size & {
  /** 3: indices of a palette; 2: RGB; 6: RGBA. */
  readonly colourType: number;
  readonly bitsPerPixel: number;
  readonly palette: Uint8Array;
  /** Alphas of the palette's first colours; the others are opaque. */
  readonly alphas: Uint8Array;
  /** The deflated rows. */
  readonly stream: Uint8Array;
};

/** The widest texture that settings let in; a picture is at most twice as high as wide. */
const widthMax = 4096;
/** Deflate makes at most so many bytes of one. */
const inflationMax = 1032;
/** Below this a stream is inflated in less time than a second attempt takes. */
const wholeStreamBytes = 8192;

/**
 * Reads as many of the upper rows as `rowsOf` asks for. Null for a file of another form than ours. Fails when
 * these rows are damaged; what lies below them is not looked at.
 */
export function decodeOwnPng(bytes: Uint8Array, rowsOf: (size: Size) => number): OwnPicture | null {
  const parts = takeApart(bytes);
  if (parts === null) return null;
  const { width, height, colourType, bitsPerPixel, alphas } = parts;
  const rowBytes = 1 + Math.ceil((width * bitsPerPixel) / 8);
  const count = Math.min(height, rowsOf(parts));
  const rows = inflateRows(parts.stream, count * rowBytes, height * rowBytes);
  const canvas = createCanvas(width, count);
  const isRead = colourType === 3 ? readIndices(parts, rows, canvas) : readColours(parts, rows, canvas);
  const isOpaque = colourType === 2 || (colourType === 3 && alphas.length === 0);
  return isRead ? { canvas, isOpaque } : null;
}

/** The chunks of our files. */
const trueColourChunks = "IHDR IDAT IEND";
const paletteChunks = new Set(["IHDR PLTE IDAT IEND", "IHDR PLTE tRNS IDAT IEND"]);
const chunksMax = 5;
/** Bits of a pixel, by colour type and bit depth: IHDR's bytes of both. */
const knownShapes: Readonly<Record<number, number>> = {
  0x0103: 1,
  0x0203: 2,
  0x0403: 4,
  0x0803: 8,
  0x0802: 24,
  0x0806: 32,
};

/** Null for a file of another form than ours. */
function takeApart(bytes: Uint8Array): Parts | null {
  const chunks = readChunks(bytes);
  const header = chunks.get("IHDR");
  const data = chunks.get("IDAT");
  if (header?.length !== 13 || !data) return null;
  const view = new DataView(header.buffer, header.byteOffset, 13);
  const [width, height, shape] = [view.getUint32(0), view.getUint32(4), view.getUint16(8)];
  if (width === 0 || width > widthMax || height === 0 || height > 2 * widthMax) return null;
  const bitsPerPixel = knownShapes[shape];
  // Then come three zeros: the one compression, the one set of filters, and no interlacing.
  if (bitsPerPixel === undefined || (view.getUint32(9) & 0xffffff) !== 0) return null;
  const colourType = shape & 255;
  const names = [...chunks.keys()].join(" ");
  if (colourType === 3 ? !paletteChunks.has(names) : names !== trueColourChunks) return null;
  const palette = chunks.get("PLTE") ?? noBytes;
  const alphas = chunks.get("tRNS") ?? noBytes;
  // Two bytes say that the stream is zlib's.
  return { width, height, colourType, bitsPerPixel, palette, alphas, stream: data.subarray(2) };
}

const noBytes = new Uint8Array(0);

/**
 * The chunks in their order; no chunk where the file has more than ours or anything between or after them.
 */
function readChunks(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const chunks = new Map<string, Uint8Array>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8 || view.getBigUint64(0) !== 0x89504e470d0a1a0an) return chunks;
  for (let at = 8, count = 0; count < chunksMax && at + 12 <= bytes.length; count++) {
    const end = at + 12 + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (chunks.has(name)) break;
    chunks.set(name, bytes.subarray(at + 8, end - 4));
    if (end === bytes.length) return chunks;
    at = end;
  }
  return new Map();
}

/**
 * Inflates a stream of `whole` bytes until `needed` ones are there. How much of the stream that takes is not
 * known, so a part is tried first: HD skins are densest above, where their head lies.
 */
function inflateRows(stream: Uint8Array, needed: number, whole: number): Uint8Array {
  if (whole > stream.length * inflationMax) throw new Error("The rows are too few");
  const isPart = needed < whole && stream.length > wholeStreamBytes;
  const { constants, inflateRawSync } = nodeParts.zlib;
  let length = isPart ? Math.ceil((1.25 * stream.length * needed) / whole) : stream.length;
  for (;;) {
    const rows = inflateRawSync(stream.subarray(0, length), {
      chunkSize: Math.max(64, Math.min(whole, 2 * needed)),
      maxOutputLength: whole,
      finishFlush: length < stream.length ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
    });
    if (rows.length >= needed) return rows.subarray(0, needed);
    if (length >= stream.length) throw new Error("The rows are too few");
    length = Math.ceil(length * Math.min(4, Math.max(1.25, (1.1 * needed) / (rows.length + 1))));
  }
}

/** Rows as they are (filter 0), or like the one above (filter 2 and zeros); false for others. */
function readIndices(parts: Parts, rows: Uint8Array, { width, height, words }: Canvas): boolean {
  const rowBytes = rows.length / height;
  const pixels = signedWords(words);
  const colours = coloursOf(parts);
  const unchanged = new Uint8Array(rowBytes - 1);
  const depth = parts.bitsPerPixel;
  const mask = (1 << depth) - 1;
  for (let y = 0; y < height; y++) {
    const at = y * rowBytes + 1;
    const to = y * width;
    if (rows[at - 1] === 0) {
      for (let x = 0, bit = 0; x < width; x++, bit += depth) {
        const index = ((rows[at + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & mask;
        pixels[to + x] = colours[index] ?? 0;
      }
      continue;
    }
    const isUnchanged =
      rows[at - 1] === 2 && Buffer.compare(rows.subarray(at, at + rowBytes - 1), unchanged) === 0;
    if (!isUnchanged || y === 0) return false;
    words.copyWithin(to, to - width, to);
  }
  return true;
}

/** Words of all indices. What the palette lacks is black, as upng-js has it. */
function coloursOf({ palette, alphas }: Parts): Int32Array {
  const colours = new Int32Array(256).fill(-0x1000000);
  const count = Math.min(256, Math.max(palette.length / 3, alphas.length));
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const colour = ((palette[at + 2] ?? 0) << 16) | ((palette[at + 1] ?? 0) << 8) | (palette[at] ?? 0);
    colours[i] = ((alphas[i] ?? 255) << 24) | colour;
  }
  return colours;
}

/** Rows that all have filter 0 or all filter 4; false for others. */
function readColours({ bitsPerPixel }: Parts, rows: Uint8Array, canvas: Canvas): boolean {
  const { width, height } = canvas;
  const channels = bitsPerPixel === 24 ? 3 : 4;
  const rowBytes = 1 + width * channels;
  const filter = rows[0];
  for (let at = 0; at < height * rowBytes; at += rowBytes) if (rows[at] !== filter) return false;
  if (filter === 4) undoPaeth(rows, canvas, channels);
  else if (filter === 0) copyRows(rows, canvas, channels);
  else return false;
  return true;
}

function copyRows(rows: Uint8Array, canvas: Canvas, channels: 3 | 4): void {
  const { width, height, data } = canvas;
  const pixels = signedWords(canvas.words);
  for (let y = 0, at = 1; y < height; y++, at += 1 + width * channels) {
    const to = y * width;
    if (channels === 4) {
      data.set(rows.subarray(at, at + width * 4), to * 4);
      continue;
    }
    for (let x = 0, from = at; x < width; x++, from += 3) {
      const [red, green, blue] = [rows[from] ?? 0, rows[from + 1] ?? 0, rows[from + 2] ?? 0];
      pixels[to + x] = -0x1000000 | (blue << 16) | (green << 8) | red;
    }
  }
}
