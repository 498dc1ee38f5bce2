/*
 * The bodies that cost a server the most that we know of: the same few bytes over and over, deep, wide, long
 * or broken.
 */

import { deflateSync } from "node:zlib";

/** A body of at most so many bytes. */
export type Shape = { readonly name: string; readonly make: (bytes: number) => Uint8Array };

const encoder = new TextEncoder();
const text = (made: string): Uint8Array => encoder.encode(made);

/** As many copies as fit between the two ends. */
function filled(bytes: number, [start, end]: readonly [string, string], piece: string): Uint8Array {
  const room = bytes - start.length - end.length;
  const copies = piece.repeat(Math.max(0, Math.floor(room / encoder.encode(piece).length)));
  return text(start + copies + end);
}

/** Pieces that differ, as many as fit. */
function numbered(
  bytes: number,
  [start, end]: readonly [string, string],
  piece: (n: number) => string,
): Uint8Array {
  const pieces: string[] = [];
  for (let length = start.length + end.length, n = 0; ; n++) {
    const next = piece(n);
    length += next.length;
    if (length > bytes) break;
    pieces.push(next);
  }
  return text(start + pieces.join("") + end);
}

/**
 * Arrays in arrays, and then one wide array: a printer that indents writes a multiple of what it was sent.
 */
function nested(bytes: number, levels: number): Uint8Array {
  const wide = Math.max(0, Math.floor((bytes - 2 * levels - 20) / 2));
  return text(`{"username":${"[".repeat(levels)}${"1,".repeat(wide)}1${"]".repeat(levels)}}`);
}

const inField = ['{"username":', "}"] as const;

export const jsonShapes: readonly Shape[] = [
  { name: "arrays in arrays", make: (bytes) => nested(bytes, Math.floor(bytes / 2) - 12) },
  { name: "a thousand levels, then wide", make: (bytes) => nested(bytes, Math.min(1000, bytes >> 4)) },
  { name: "four levels, then wide", make: (bytes) => nested(bytes, 4) },
  { name: "a wide array", make: (bytes) => filled(bytes, ["[1", "]"], ",1") },
  { name: "a wide array in a field", make: (bytes) => filled(bytes, ['{"username":[1', "]}"], ",1") },
  { name: "a list of capes", make: (bytes) => filled(bytes, ['{"user":1,"cape":[1', "]}"], ",1") },
  { name: "empty objects", make: (bytes) => filled(bytes, ['{"username":[1', "]}"], ",{}") },
  {
    name: "many fields",
    make: (bytes) => numbered(bytes, ['{"a":1', "}"], (n) => `,"${n.toString(36)}":1`),
  },
  {
    name: "many fields in a field",
    make: (bytes) => numbered(bytes, ['{"username":{"a":1', "}}"], (n) => `,"${n.toString(36)}":1`),
  },
  {
    name: "fields called by numbers",
    make: (bytes) => numbered(bytes, ['{"a":1', "}"], (n) => `,"${4e9 - 97 * n}":1`),
  },
  {
    name: "one field again and again",
    make: (bytes) => filled(bytes, ['{"username":1', "}"], ',"username":1'),
  },
  { name: "a long whole number", make: (bytes) => filled(bytes, inField, "1") },
  { name: "a long fraction", make: (bytes) => filled(bytes, ['{"username":0.', "}"], "1") },
  {
    name: "a long id",
    make: (bytes) => filled(bytes, ['{"Social_id":1', ',"meta":{"id":1,"conn_id":1}}'], "1"),
  },
  { name: "a long text", make: (bytes) => filled(bytes, ['{"username":"', '","password":"x"}'], "a") },
  { name: "a long password", make: (bytes) => filled(bytes, ['{"username":"x","password":"', '"}'], "a") },
  {
    name: "escaped letters",
    make: (bytes) => filled(bytes, ['{"username":"', '","password":"x"}'], String.raw`\u0041`),
  },
  {
    name: "marks to be put in order",
    make: (bytes) => filled(bytes, ['{"username":"a', '","password":"x"}'], "\u0301\u0316"),
  },
  { name: "no UTF-8", make: (bytes) => new Uint8Array(bytes).fill(0x80) },
  { name: "brackets that stay open", make: (bytes) => filled(bytes, ["", ""], "[") },
];

const boundary = "b";
/** The media type of the forms below. */
export const formType = `multipart/form-data; boundary=${boundary}`;

const part = (name: string, value: string, rest = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}\r\n`;
const formEnd = `--${boundary}--\r\n`;
const rest = part("name", "Diver") + part("cape", "x", '; filename="a"') + formEnd;

/** A sound skin of one colour with so many chunks that say nothing. */
function picture(chunks: number): Uint8Array {
  const header = new Uint8Array([0, 0, 0, 64, 0, 0, 0, 64, 8, 6, 0, 0, 0]);
  const rows = deflateSync(new Uint8Array(64 * 257));
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const nothing = pngChunk("teXt", new Uint8Array(0));
  const pieces = Array.from({ length: chunks }, () => nothing);
  const ends = [pngChunk("IDAT", rows), pngChunk("IEND", new Uint8Array(0))];
  return Buffer.concat([signature, pngChunk("IHDR", header), ...pieces, ...ends]);
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([text(type), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(Bun.hash.crc32(named), named.length + 4);
  return chunk;
}

export const formShapes: readonly Shape[] = [
  { name: "parts of many names", make: (bytes) => numbered(bytes, ["", formEnd], (n) => part(`p${n}`, "")) },
  {
    name: "files of many names",
    make: (bytes) => numbered(bytes, ["", formEnd], (n) => part(`p${n}`, "", '; filename="a"')),
  },
  { name: "one part again and again", make: (bytes) => filled(bytes, ["", rest], part("owners", "17")) },
  {
    name: "a long list of owners",
    make: (bytes) => filled(bytes, ["", rest], part("owners", "1,".repeat(100_000))),
  },
  { name: "one long text", make: (bytes) => text(part("name", "a".repeat(bytes - 200)) + formEnd) },
  {
    name: "marks to be put in order",
    make: (bytes) => text(part("name", "\u0301\u0316".repeat((bytes - 200) >> 2)) + formEnd),
  },
  {
    name: "nearly boundaries",
    make: (bytes) => text(part("name", "\r\n--".repeat((bytes - 200) >> 2)) + formEnd),
  },
  {
    name: "a picture in empty pieces",
    make: (bytes) => {
      const pieces = picture(Math.floor((bytes - 1000) / 12));
      const [start = "", end = ""] = part("skin", "\0", '; filename="a"').split("\0");
      return new Uint8Array(Buffer.concat([text(start), pieces, text(`${end}${formEnd}`)]));
    },
  },
  {
    name: "headings without end",
    make: (bytes) => filled(bytes, [`--${boundary}\r\n`, `\r\n\r\n${formEnd}`], "X: y\r\n"),
  },
];
