/** The odd files that no intake takes, whatever way they come. */
import { concat, joinChunks, makePng, signature, uint32, type Chunk } from "../render/png-fixtures.ts";
import {
  bombPng,
  headerOf,
  legalShape,
  lyingPng,
  pngOfLength,
  rowsPng,
  soundData,
  soundEnd,
  soundHeader,
  soundShape,
} from "./hostile-pngs.ts";
import { skinPng } from "./textures.ts";

/** The most bytes that the settings allow for a skin. */
export const bytesMax = 1024 * 1024;

export const text = (content: string) => new Uint8Array(Buffer.from(content));
export const part = (type: string, data: Uint8Array = new Uint8Array(0)): Chunk => ({ type, data });
const sound = joinChunks([soundHeader, soundData, soundEnd]);
const indexed = { ...legalShape(3, 4, false), palette: [[1, 2, 3]] as const, transparency: [] };

/** Files that are refused as skins, with the status and message of an upload. */
export const hostileFiles: readonly (readonly [
  what: string,
  file: Uint8Array,
  status?: number,
  msg?: RegExp,
])[] = [
  ["an empty file", new Uint8Array(0)],
  ["a text", text("not a picture")],
  ["a JPEG that is called .png", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1)],
  ["a GIF", text("GIF89a\x40\0\x40\0")],
  ["a WebP", text("RIFF\x10\0\0\0WEBPVP8 ")],
  ["an SVG", text(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>`)],
  ["a web page", text("<!doctype html><script>alert(1)</script>")],
  ["a ZIP archive", text("PK\x03\x04")],
  ["a PNG's signature alone", signature],
  ["a PNG cut in half", sound.subarray(0, sound.length / 2)],
  ["a PNG without its last byte", sound.subarray(0, -1)],
  ["a PNG without its end", joinChunks([soundHeader, soundData])],
  ["a PNG with a byte after its end", concat(sound, Uint8Array.of(0))],
  ["a PNG with an archive after its end", concat(sound, text("PK\x03\x04"))],
  ["two PNGs in one file", concat(sound, sound)],
  ["a PNG behind a text", concat(text("x"), sound)],
  ["a wrong CRC of the header", sound.with(30, sound[30]! ^ 1)],
  ["a wrong CRC of the image data", sound.with(60, sound[60]! ^ 1)],
  ["a wrong CRC of the end", sound.with(sound.length - 1, sound.at(-1)! ^ 1)],
  ["an APNG", joinChunks([soundHeader, part("acTL", uint32(1, 0)), soundData, soundEnd])],
  ["an unknown critical chunk", joinChunks([soundHeader, part("EVIL"), soundData, soundEnd])],
  ["1x1", makePng({ ...soundShape, width: 1, height: 1 })],
  ["65x64", makePng({ ...soundShape, width: 65 })],
  ["64x65", makePng({ ...soundShape, height: 65 })],
  ["64x16", makePng({ ...soundShape, height: 16 })],
  ["32x32", makePng({ ...soundShape, width: 32, height: 32 })],
  ["64x128", makePng({ ...soundShape, height: 128 })],
  ["96x96", makePng({ ...soundShape, width: 96, height: 96 })],
  ["a cape of 22x17", makePng({ ...soundShape, width: 22, height: 17 })],
  ["1088x1088, over the limit", skinPng(1, { width: 1088 }), 400, /1024/],
  ["1088x544, over the limit", skinPng(1, { width: 1088, height: 544 }), 400, /1024/],
  ["20000x20000 in a hundred bytes", lyingPng(20_000, 20_000)],
  ["2^31 x 2^31", lyingPng(2 ** 31, 2 ** 31)],
  ["0x0", lyingPng(0, 0)],
  ["64x0", lyingPng(64, 0)],
  ["128x128 with the data of 64x64", lyingPng(128, 128)],
  ["64x32 with the data of 64x64", lyingPng(64, 32)],
  ["one row too many", rowsPng((rows) => concat(rows, new Uint8Array(257)))],
  ["one byte too few", rowsPng((rows) => rows.subarray(1))],
  ["an unknown row filter", rowsPng((rows) => rows.with(257, 9))],
  ["64x64 with 900 MiB of inflating data", bombPng(900)],
  ["64x64 with 65 MiB of inflating data", bombPng(65)],
  ["1024x1024 with nothing behind it", joinChunks([headerOf(1024, 1024), part("IDAT"), soundEnd])],
  ["a palette index out of range", makePng({ ...indexed, sample: (x) => x % 2 })],
  [
    "80,000 empty chunks",
    joinChunks([soundHeader, ...Array.from({ length: 80_000 }, () => part("teXt")), soundEnd]),
  ],
  [
    "a sound picture in 4,097 pieces",
    joinChunks([soundHeader, ...Array.from({ length: 4095 }, () => part("teXt")), soundData, soundEnd]),
    400,
    /The picture has more than 4096 chunks; save it again$/,
  ],
  ["a chunk that claims 4 GiB", concat(joinChunks([soundHeader]), uint32(0xffff_ffff), text("IDAT"))],
  ["a chunk that claims minus one", concat(joinChunks([soundHeader]), uint32(0x8000_0000), text("IDAT"))],
  ["one byte over the limit", pngOfLength(bytesMax + 1), 413],
  ["far over the limit", new Uint8Array(8 * bytesMax), 413],
];
