import { pictureRefusals } from "./refusals.ts";
import type { AppError } from "../kernel/errors.ts";

/** The eight bytes that every PNG begins with. */
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Bytes of a chunk beside its data: length, type, CRC. */
const chunkOverhead = 12;

/** What an upload may be at most: pixels each way, and bytes of the file. */
export type PngLimits = { readonly widthMax: number; readonly heightMax: number; readonly bytesMax: number };

/** IHDR, read and checked. */
export type PngHeader = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
};

/** The parts of a PNG that define its pixels; everything else in the file is dropped. */
export type PngParts = {
  readonly header: PngHeader;
  readonly palette: Uint8Array | undefined;
  readonly transparency: Uint8Array | undefined;
  /** The zlib stream: the data of all IDAT chunks. */
  readonly stream: Uint8Array;
};

type RawChunk = { readonly type: string; readonly data: Uint8Array };

const depthsOfColourType: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/**
 * Encoders cut image data into pieces of 8 KiB and more. Each piece takes a microsecond, and a megabyte holds
 * 87,000 empty ones.
 */
const chunksMax = 4096;
const criticalChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);
const animationChunks = new Set(["acTL", "fcTL", "fdAT"]);

/**
 * Takes an untrusted PNG apart and checks all of it that can be checked without inflating: signature, order,
 * number, size and CRC of the chunks, and the dimensions against the limits. The work is linear in the file's
 * length. Fails with too_large over `bytesMax`, with invalid for everything else; the message names cause and
 * cure. Source: W3C PNG, third edition, sections 5 and 11.
 */
export function readPngParts(bytes: Uint8Array, limits: PngLimits): PngParts {
  const { data, ...parts } = takeApart(bytes, limits);
  return { ...parts, stream: new Uint8Array(Buffer.concat(data)) };
}

/** Checks what `readPngParts` checks, and fails as it does, without copying the image data. */
export function checkPng(bytes: Uint8Array, limits: PngLimits): PngHeader {
  return takeApart(bytes, limits).header;
}

/** Makes the error of an unfit picture, in words that its owner can act on. */
export function invalid(what: string, cause?: unknown): AppError {
  return pictureRefusals.unfit(what, { cause });
}

type Pieces = Omit<PngParts, "stream"> & { readonly data: readonly Uint8Array[] };

function takeApart(bytes: Uint8Array, limits: PngLimits): Pieces {
  if (bytes.length > limits.bytesMax) {
    throw pictureRefusals.tooLarge(limits.bytesMax);
  }
  if (!signature.every((byte, i) => bytes[i] === byte)) {
    throw pictureRefusals.notPng();
  }
  const chunks = readChunks(bytes, limits);
  const header = readHeader(chunks[0], limits);
  const firstData = chunks.findIndex((chunk) => chunk.type === "IDAT");
  if (firstData < 0) throw invalid("holds no image data; save it again");
  const dataEnd = chunks.findLastIndex((chunk) => chunk.type === "IDAT") + 1;
  const data = chunks.slice(firstData, dataEnd);
  if (data.some((chunk) => chunk.type !== "IDAT")) throw invalid("has image data in separate places");

  const before = chunks.slice(1, firstData);
  for (const { type } of chunks.slice(dataEnd)) {
    if (type === "PLTE" || type === "tRNS") throw invalid(`has its ${type} chunk after the image data`);
  }
  const palette = readPalette(before, header);
  const transparency = readTransparency(before, header, palette);
  return { header, palette, transparency, data: data.map((chunk) => chunk.data) };
}

/** All chunks up to IEND. The header is judged on the way, so that an absurd one costs nothing more. */
function readChunks(bytes: Uint8Array, limits: PngLimits): RawChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks: RawChunk[] = [];
  for (let at = signature.length; ;) {
    if (at + chunkOverhead > bytes.length) throw pictureRefusals.cutOff();
    const end = at + chunkOverhead + view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    refuseUnknown(type);
    if (end > bytes.length) throw invalid(`is cut off inside its ${type} chunk; upload it again`);
    if (Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) {
      throw invalid(`is damaged (wrong CRC of its ${type} chunk); save it again`);
    }
    const chunk = { type, data: bytes.subarray(at + 8, end - 4) };
    if (chunks.length === 0) readHeader(chunk, limits);
    else if (type === "IHDR") throw invalid("has two headers; save it again");
    if (type === "IEND") {
      if (chunk.data.length > 0) throw invalid("has an IEND chunk that is not empty; save it again");
      if (end !== bytes.length) throw invalid("has bytes after its end; save it again without attachments");
      return chunks;
    }
    chunks.push(chunk);
    if (chunks.length > chunksMax) throw invalid(`has more than ${chunksMax} chunks; save it again`);
    at = end;
  }
}

/** A chunk whose first letter is a capital one is critical: who does not know it cannot show the picture. */
function refuseUnknown(type: string): void {
  if (!/^[A-Za-z]{4}$/.test(type)) throw invalid("is damaged (a chunk has no name); save it again");
  if (animationChunks.has(type)) throw pictureRefusals.animated();
  if (/^[A-Z]/.test(type) && !criticalChunks.has(type)) {
    throw invalid(`needs the unknown chunk ${type}; save it as an ordinary PNG`);
  }
}

function readHeader(chunk: RawChunk | undefined, limits: PngLimits): PngHeader {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) throw invalid("has no sound header; save it again");
  const view = new DataView(chunk.data.buffer, chunk.data.byteOffset, 13);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  const depth = view.getUint8(8);
  const colourType = view.getUint8(9);
  const interlace = view.getUint8(12);
  if (width === 0 || height === 0) throw pictureRefusals.empty();
  if (width > limits.widthMax || height > limits.heightMax) {
    throw pictureRefusals.tooManyPixels(width, height, limits.widthMax, limits.heightMax);
  }
  if (!depthsOfColourType[colourType]?.includes(depth)) {
    throw invalid(`has colour type ${colourType} with ${depth} bits, which PNG does not know`);
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || interlace > 1) {
    throw invalid("uses a compression, filter or interlacing that PNG does not know");
  }
  return { width, height, depth, colourType, interlaced: interlace === 1 };
}

/**
 * The palette that colour type 3 must have. For RGB it is only advice and is dropped; for grey it is
 * forbidden.
 */
function readPalette(before: readonly RawChunk[], header: PngHeader): Uint8Array | undefined {
  const palettes = before.filter((chunk) => chunk.type === "PLTE");
  const data = palettes[0]?.data;
  if (palettes.length > 1) throw invalid("has two palettes; save it again");
  if (data && (header.colourType === 0 || header.colourType === 4))
    throw invalid("is grey but has a palette");
  if (data && (data.length === 0 || data.length % 3 !== 0 || data.length > 3 * 256)) {
    throw invalid("has a palette of a wrong size; save it again");
  }
  if (header.colourType !== 3) return undefined;
  if (!data) throw invalid("lacks its palette; save it again");
  if (data.length > 3 * 2 ** header.depth) throw invalid("has more palette entries than its depth allows");
  return data;
}

/** tRNS where it counts: grey, RGB and palette. Beside an alpha channel it means nothing and is dropped. */
function readTransparency(
  before: readonly RawChunk[],
  { colourType }: PngHeader,
  palette: Uint8Array | undefined,
): Uint8Array | undefined {
  const found = before.filter((chunk) => chunk.type === "tRNS");
  const data = found[0]?.data;
  if (!data || colourType === 4 || colourType === 6) return undefined;
  if (found.length > 1) throw invalid("has two tRNS chunks; save it again");
  const types = before.map((chunk) => chunk.type);
  if (palette && types.indexOf("tRNS") < types.indexOf("PLTE")) {
    throw invalid("has its tRNS chunk before its palette");
  }
  const fits = palette ? data.length <= palette.length / 3 : data.length === (colourType === 0 ? 2 : 6);
  if (!fits) throw invalid("has a tRNS chunk of a wrong size; save it again");
  return data;
}

/** A chunk to write: length and CRC are worked out from it. */
export type Chunk = { readonly type: string; readonly data: Uint8Array };

/** Puts signature and chunks together to a file, with every length and CRC. */
export function joinChunks(chunks: readonly Chunk[]): Uint8Array {
  const dataBytes = chunks.reduce((sum, chunk) => sum + chunk.data.length, 0);
  const file = new Uint8Array(signature.length + chunks.length * chunkOverhead + dataBytes);
  const view = new DataView(file.buffer);
  file.set(signature);
  let at = signature.length;
  for (const { type, data } of chunks) {
    view.setUint32(at, data.length);
    for (let i = 0; i < 4; i++) file[at + 4 + i] = type.charCodeAt(i);
    file.set(data, at + 8);
    const end = at + 8 + data.length;
    view.setUint32(end, Bun.hash.crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
  return file;
}

/** IHDR of a picture that is not interlaced. */
export function headerChunk(width: number, height: number, depth: number, colourType: number): Chunk {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data[8] = depth;
  data[9] = colourType;
  return { type: "IHDR", data };
}
