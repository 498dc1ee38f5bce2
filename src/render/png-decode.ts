import * as upng from "upng-js";
import { PlainError } from "../kernel/errors.ts";
import { nodeParts } from "../kernel/node-parts.ts";
import { type Bitmap, createCanvas } from "./bitmap.ts";
import { decodeOwnPng } from "./png-own.ts";
import {
  type Chunk,
  headerChunk,
  invalid,
  joinChunks,
  type PngHeader,
  type PngLimits,
  type PngParts,
  readPngParts,
} from "./png-structure.ts";
import type { SkinTexture } from "./skin-sheet.ts";

/** The seven passes of an interlaced picture: first column, first row, steps between columns and rows. */
const interlacePasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const channelsOfColourType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

// upng-js inflates in JavaScript through this seam of its own; the native way halves the time of a whole
// decode. Its streams carry two header bytes, and its buffer runs on after the end, which raw inflating
// ignores.
Object.assign(upng.decode, {
  _inflate: (stream: Uint8Array<ArrayBuffer>) => Bun.inflateSync(stream.subarray(2)),
});

/**
 * Decodes an untrusted PNG to 8-bit RGBA: every colour type, bit depth (of 16 bits the high byte stays),
 * interlacing and tRNS. Colour profiles and other metadata change nothing; RGB under alpha 0 is kept.
 * Dimensions, chunks and CRCs are checked before anything is inflated, and inflating stops at the exact size.
 * Fails with too_large over `bytesMax` and with invalid for every file that is not a sound still picture.
 */
export async function decodePng(bytes: Uint8Array, limits: PngLimits): Promise<Bitmap> {
  const parts = readPngParts(bytes, limits);
  checkStream(parts);
  const decoded = readWithUpng(await toPlainRgba(parts));
  return parts.palette ? applyPalette(decoded, parts.palette, parts.transparency) : decoded;
}

/**
 * Decodes a PNG that `encodePng` wrote: fast and on the calling thread.
 * Fails with internal when the file is not one of those, because then the storage is damaged.
 */
export function decodeStoredPng(bytes: Uint8Array): Bitmap {
  return decodeStoredRows(bytes, ({ height }) => height).bitmap;
}

/**
 * Decodes as many of its upper rows as `rowsOf` asks for, at least. `read` is set where more than the bitmap
 * is known. Damage below these rows is not noticed: `readTexture` and `fsck` compare whole files.
 */
export function decodeStoredRows(
  bytes: Uint8Array,
  rowsOf: (size: Pick<Bitmap, "width" | "height">) => number,
): Pick<SkinTexture, "bitmap" | "read"> {
  try {
    const own = decodeOwnPng(bytes, rowsOf);
    return own ? { bitmap: own.canvas, read: own } : { bitmap: readWithUpng(bytes) };
  } catch (cause) {
    throw new PlainError("internal", "A stored texture is damaged", { cause });
  }
}

/**
 * upng-js reads plain, not interlaced files right; its faults lie in the kinds that are never given to it
 * here.
 */
function readWithUpng(png: Uint8Array): Bitmap {
  const decoded = upng.decode(new Uint8Array(png).buffer);
  const [pixels] = upng.toRGBA8(decoded);
  // It passes over a missing end.
  if (!pixels || !("data" in decoded)) throw new PlainError("internal", "upng-js found no picture");
  return { width: decoded.width, height: decoded.height, data: new Uint8Array(pixels) };
}

/**
 * Lets libspng, inside Bun, bring the picture to plain RGBA. It gets only what defines the pixels, in a file
 * built for this, so no profile or other metadata reaches it. It takes a palette index that lies outside the
 * palette for black; palette pictures are therefore decoded with a ramp of greys, whose red then is the
 * index.
 */
async function toPlainRgba({ header, palette, transparency, stream }: PngParts): Promise<Uint8Array> {
  const { width, height, depth, colourType } = header;
  const ihdr = headerChunk(width, height, depth, colourType);
  if (header.interlaced) ihdr.data[12] = 1;
  const chunks: Chunk[] = [ihdr];
  if (palette) chunks.push({ type: "PLTE", data: greyRamp(2 ** depth) });
  else if (transparency) chunks.push({ type: "tRNS", data: transparency });
  chunks.push({ type: "IDAT", data: stream }, { type: "IEND", data: new Uint8Array(0) });
  try {
    const image = new Bun.Image(joinChunks(chunks), { maxPixels: width * height });
    return await image.png({ compressionLevel: 1 }).bytes();
  } catch (cause) {
    throw invalid("has a row with an unknown filter; save it again", cause);
  }
}

function greyRamp(length: number): Uint8Array {
  return Uint8Array.from({ length: length * 3 }, (_, i) => Math.floor(i / 3));
}

function applyPalette(indices: Bitmap, palette: Uint8Array, alphas: Uint8Array = new Uint8Array(0)): Bitmap {
  const canvas = createCanvas(indices.width, indices.height);
  for (let i = 0; i < indices.data.length; i += 4) {
    const index = indices.data[i] ?? 0;
    if (index * 3 >= palette.length) throw invalid(`uses colour ${index}, which its palette lacks`);
    for (let channel = 0; channel < 3; channel++)
      canvas.data[i + channel] = palette[index * 3 + channel] ?? 0;
    canvas.data[i + 3] = alphas[index] ?? 255;
  }
  return canvas;
}

/**
 * Inflates once, only to learn that the stream is sound and yields exactly the bytes that the header
 * promises.
 */
function checkStream({ header, stream }: PngParts): void {
  const expectedBytes = rowBytesTotal(header);
  const { buffer, engine } = inflateAtMost(stream, expectedBytes);
  if (buffer.length !== expectedBytes)
    throw invalid("has less image data than its size needs; save it again");
  if (engine.bytesWritten !== stream.length) throw invalid("has bytes after its image data; save it again");
}

type Inflated = { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } };

function inflateAtMost(stream: Uint8Array, bytesMax: number): Inflated {
  try {
    const options = { maxOutputLength: bytesMax, chunkSize: Math.max(64, bytesMax), info: true };
    // With `info` Node's function also reports how much it read; its type does not say so.
    return nodeParts.zlib.inflateSync(stream, options) as unknown as Inflated;
  } catch (cause) {
    const tooMuch = cause instanceof RangeError;
    throw invalid(
      tooMuch
        ? "has more image data than its size needs; save it again"
        : "has damaged image data; save it again",
      cause,
    );
  }
}

/** Bytes of all rows before deflating, filter bytes included. */
function rowBytesTotal({ width, height, depth, colourType, interlaced }: PngHeader): number {
  const bitsPerPixel = depth * (channelsOfColourType[colourType] ?? 0);
  const passes = interlaced ? interlacePasses : [[0, 0, 1, 1] as const];
  let total = 0;
  for (const [left, top, stepX, stepY] of passes) {
    const columns = Math.ceil((width - left) / stepX);
    const rows = Math.ceil((height - top) / stepY);
    if (columns > 0 && rows > 0) total += rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  }
  return total;
}
