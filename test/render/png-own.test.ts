import { describe, expect, test } from "bun:test";
import { constants, deflateSync } from "node:zlib";
import { drawPicture } from "../../src/adapters/texture-threads/tasks.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { type Bitmap, type Canvas, createCanvas } from "../../src/render/bitmap.ts";
import { decodeStoredPng, decodeStoredRows } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { decodeOwnPng } from "../../src/render/png-own.ts";
import { renderPng } from "../../src/render/render.ts";
import { headRows, prepareSkin } from "../../src/render/skin-sheet.ts";
import { fill, variedSkin } from "./paint.ts";
import {
  type Chunk,
  concat,
  expectedBitmap,
  filteredRows,
  joinChunks,
  makeChunks,
  makePng,
  type PngShape,
  signature,
  splitChunks,
  uint32,
} from "./png-fixtures.ts";
import { readPng } from "./png-reader.ts";

const allRows = ({ height }: { height: number }) => height;

/** The same picture in each run: as many colours, in patches or in noise, of these alphas. */
function pictureOf(width: number, height: number, colours: number, alphas: readonly number[]): Canvas {
  const canvas = createCanvas(width, height);
  let state = width * 31 + height * 7 + colours;
  for (let i = 0; i < canvas.words.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const isRepeated = i > width && (state & 0x300000) !== 0;
    const colour = (state >>> 8) % colours;
    const alpha = alphas[colour % alphas.length]!;
    canvas.words[i] = isRepeated
      ? canvas.words[i - width]!
      : ((alpha << 24) | (Math.imul(colour, 0x9e3779) & 0xffffff)) >>> 0;
  }
  return canvas;
}

const sizes = [
  [1, 1],
  [3, 5],
  [64, 64],
  [64, 32],
  [100, 100],
  [256, 300],
  [320, 320],
] as const;
const kinds = [1, 2, 3, 4, 5, 16, 17, 200, 256, 257, 5000].flatMap((colours) =>
  [[255], [0, 255], [255, 255, 255, 255, 128], [0, 1, 254]].map((alphas) => ({ colours, alphas })),
);

test.each(sizes)("reads every kind that encodePng writes, whole and from above: %d x %d", (width, height) => {
  for (const { colours, alphas } of kinds) {
    const bitmap = pictureOf(width, height, colours, alphas);
    const file = encodePng(bitmap);
    expect(Buffer.compare(readPng(file).data, bitmap.data)).toBe(0);
    const isOpaque = bitmap.words.every((word) => word >>> 24 === 255);
    for (const rows of new Set([1, Math.ceil(height / 4), height - 1, height])) {
      if (rows < 1) continue;
      const own = decodeOwnPng(file, () => rows)!;
      expect([own.canvas.width, own.canvas.height, own.isOpaque]).toEqual([width, rows, isOpaque]);
      expect(Buffer.compare(own.canvas.data, bitmap.data.subarray(0, width * rows * 4))).toBe(0);
    }
    expect(Buffer.compare(decodeStoredPng(file).data, bitmap.data)).toBe(0);
  }
});

/** A picture whose upper quarter takes far more, or far less, than a quarter of the file. */
test.each(["above", "below"])("finds the upper rows when most of the file lies %s", (place) => {
  const bitmap = pictureOf(512, 512, 60_000, [255, 128]);
  if (place === "above") bitmap.words.fill(0, 512 * 128);
  else bitmap.words.fill(0, 0, 512 * 128);
  const { canvas } = decodeOwnPng(encodePng(bitmap), () => 128)!;
  expect(Buffer.compare(canvas.data, bitmap.data.subarray(0, 512 * 128 * 4))).toBe(0);
});

const rgba: PngShape = {
  width: 40,
  height: 24,
  colourType: 6,
  depth: 8,
  sample: (x, y, c) => (x * 8 + y * 3 + c * 50 + x * y) & 255,
};
const indices: PngShape = {
  ...rgba,
  colourType: 3,
  palette: Array.from({ length: 16 }, (_, i) => [i * 9, i, 255 - i] as const),
  depth: 4,
  sample: (x, y) => (x + y * y) & 15,
};
const split = (shape: PngShape) => {
  const [header, data, end] = makeChunks(shape) as [Chunk, Chunk, Chunk];
  const halves = [data.data.subarray(0, 50), data.data.subarray(50)];
  return joinChunks([header, ...halves.map((half) => ({ type: "IDAT", data: half })), end]);
};

/** Sound files that others write, or an encoder of ours that is forgotten. */
test.each([
  ["filter 1", rgba, makePng({ ...rgba, filter: 1 })],
  ["filter 2", rgba, makePng({ ...rgba, filter: 2 })],
  ["filter 3", rgba, makePng({ ...rgba, filter: 3 })],
  ["all filters in turn", rgba, makePng({ ...rgba, filter: "mixed" })],
  ["indices with filter 2", indices, makePng({ ...indices, filter: 2 })],
  ["grey", { ...rgba, colourType: 0 as const }, makePng({ ...rgba, colourType: 0 })],
  ["two IDAT chunks", rgba, split(rgba)],
  [
    "a text chunk",
    rgba,
    joinChunks(
      makeChunks(rgba).toSpliced(1, 0, { type: "tEXt", data: Uint8Array.from(Buffer.from("a\0b")) }),
    ),
  ],
] as [string, PngShape, Uint8Array][])("leaves %s to the reader of all PNGs", (_, shape, file) => {
  expect(decodeOwnPng(file, allRows)).toBeNull();
  const { bitmap, read } = decodeStoredRows(file, allRows);
  expect(Buffer.compare(bitmap.data, expectedBitmap(shape).data)).toBe(0);
  expect(read).toBeUndefined();
});

describe("a damaged file", () => {
  const files = [
    encodePng(pictureOf(64, 64, 5000, [255, 0])),
    encodePng(pictureOf(32, 32, 16, [255, 0])),
    encodePng(pictureOf(300, 300, 90_000, [255])),
  ];

  test("that is cut off anywhere is a fault", () => {
    for (const file of files) {
      for (let length = 0; length < file.length - 12; length += length < 200 ? 1 : 997) {
        expect(() => decodeStoredPng(file.subarray(0, length))).toThrow(AppError);
      }
    }
  });

  test("with any byte changed is a fault, or a picture of the size that it says", () => {
    for (const file of files) {
      for (let at = 0; at < file.length; at += at < 200 ? 1 : 997) {
        for (const change of [1, 128, 255]) {
          const damaged = file.slice();
          damaged[at]! ^= change;
          // The form that other PNGs have is not read here: upng-js makes of a huge header what it can.
          const own = orFault(() => decodeOwnPng(damaged, allRows));
          if (own) expect(own.canvas.data.length).toBe(own.canvas.width * own.canvas.height * 4);
        }
      }
    }
  });

  const [header, data, end] = splitChunks(encodePng(pictureOf(64, 64, 5000, [255, 0]))) as [
    Chunk,
    Chunk,
    Chunk,
  ];
  const tail = header.data.subarray(8);
  const sized = (width: number, height: number, rows: Uint8Array = data.data) =>
    joinChunks([
      { type: "IHDR", data: concat(uint32(width, height), tail) },
      { type: "IDAT", data: rows },
      end,
    ]);
  test.each([
    ["promises more rows than it has", sized(64, 65)],
    ["promises fewer rows than it has", sized(64, 63)],
    ["promises more than deflate can hold", sized(4096, 8192)],
    ["has no rows", sized(64, 64, new Uint8Array(2))],
    ["has not even a stream", sized(64, 64, new Uint8Array(0))],
    ["inflates to a hundred times its size", sized(64, 64, deflateSync(new Uint8Array(1_000_000)))],
  ])("that %s is a fault", (_, file) => {
    expect(() => decodeOwnPng(file, allRows)).toThrow();
    expect(() => decodeStoredPng(file)).toThrow(AppError);
  });

  test("that is wider than any texture is not ours", () => {
    expect(decodeOwnPng(sized(4097, 1), allRows)).toBeNull();
    expect(decodeOwnPng(sized(0xffffffff, 0xffffffff), allRows)).toBeNull();
    expect(decodeOwnPng(signature, allRows)).toBeNull();
  });

  test("whose indices lie outside the palette has black there", () => {
    const [header, , data] = makeChunks(indices) as [Chunk, Chunk, Chunk];
    const palette = { type: "PLTE", data: Uint8Array.of(9, 8, 7) };
    const { canvas } = decodeOwnPng(joinChunks([header, palette, data, end]), allRows)!;
    expect(canvas.words[0]).toBe(0xff070809);
    expect(canvas.words[1]).toBe(0xff000000);
  });

  test("below the head still shows the head", () => {
    const bitmap = pictureOf(128, 128, 60_000, [255, 128]);
    const rows = filteredRows({
      ...rgba,
      width: 128,
      height: 128,
      sample: (x, y, c) => bitmap.data[(y * 128 + x) * 4 + c]!,
    });
    const stream = deflateSync(rows, { finishFlush: constants.Z_SYNC_FLUSH });
    const half = deflateSync(rows.subarray(0, rows.length / 2), { finishFlush: constants.Z_SYNC_FLUSH });
    const damaged = concat(half, new Uint8Array(stream.length - half.length).fill(255));
    const file = sized(128, 128, damaged);
    expect(() => decodeStoredPng(file)).toThrow(AppError);
    expect(
      Buffer.compare(decodeStoredRows(file, headRows).bitmap.data, bitmap.data.subarray(0, 16_384)),
    ).toBe(0);
  });
});

function orFault<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Every word another one, so that files of it are large. */
function noisy(bitmap: Canvas): Canvas {
  bitmap.words.forEach((word, i) => (bitmap.words[i] = (word ^ (Math.imul(i, 0x9e3779b1) & 0x0f0f0f)) >>> 0));
  return bitmap;
}

describe("the head alone", () => {
  const flattened = (scale: number): Canvas => {
    const bitmap = noisy(variedSkin({ scale }));
    bitmap.words.forEach((word, i) => (bitmap.words[i] = (word | 0xff000000) >>> 0));
    return bitmap;
  };
  const plain = createCanvas(64, 64);
  fill(plain, [0, 0, 64, 64], [10, 20, 30]);
  const sheets: readonly [string, Bitmap][] = [
    ["a small skin", variedSkin()],
    ["a fine skin", noisy(variedSkin({ scale: 8 }))],
    ["a finer skin", noisy(variedSkin({ scale: 5 }))],
    ["a flattened export", flattened(1)],
    ["a fine flattened export", flattened(8)],
    ["one colour", plain],
    ["a sheet of the old form", variedSkin({ height: 32 })],
    ["a fine sheet of the old form", noisy(variedSkin({ scale: 8, height: 32 }))],
  ];

  test.each(sheets)("is read from the upper rows, and drawn as from the whole file: %s", (_, bitmap) => {
    const png = encodePng(bitmap);
    for (const model of ["classic", "slim"] as const) {
      const whole = prepareSkin({ bitmap, model });
      const head = prepareSkin({ ...decodeStoredRows(png, headRows), model });
      const { length } = head.canvas.words;
      expect(length).toBe(whole.canvas.words.length / (bitmap.height === bitmap.width ? 4 : 1));
      expect(Buffer.compare(head.canvas.data, whole.canvas.data.subarray(0, length * 4))).toBe(0);
      for (const type of ["skin", "player", "isometric"] as const) {
        const kind = { view: "head", type, size: 60 } as const;
        const expected = renderPng({ ...kind, skin: { bitmap, model } });
        expect(Buffer.compare(drawPicture({ ...kind, skin: { png, model } }), expected)).toBe(0);
      }
      const body = { view: "body", type: "player", size: 40 } as const;
      const expected = renderPng({ ...body, skin: { bitmap, model } });
      expect(Buffer.compare(drawPicture({ ...body, skin: { png, model } }), expected)).toBe(0);
    }
  });

  test("no other picture takes a quarter of a sheet for a skin", () => {
    expect(() => prepareSkin({ bitmap: createCanvas(64, 16), model: "classic" })).toThrow(AppError);
  });
});
