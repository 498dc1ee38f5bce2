import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { AppError } from "../../src/kernel/errors.ts";
import { decodePng, decodeStoredPng } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import {
  type Chunk,
  colourShapes,
  concat,
  encodeChunk,
  expectedBitmap,
  filteredRows,
  joinChunks,
  makeChunks,
  makePng,
  type PngShape,
  signature,
  uint32,
} from "./png-fixtures.ts";

const limits = { widthMax: 1024, heightMax: 1024, bytesMax: 1 << 20 };
const chunk = (type: string, data: Uint8Array = new Uint8Array(0)): Chunk => ({ type, data });
const idat = (rows: Uint8Array) => chunk("IDAT", new Uint8Array(deflateSync(rows)));
const iend = chunk("IEND");

/** A varied picture of the given kind with palette and tRNS where the kind has them. */
function varied(shape: Omit<PngShape, "sample" | "palette" | "transparency">): PngShape {
  const max = 2 ** shape.depth - 1;
  const palette = Array.from(
    { length: max + 1 },
    (_, i) => [i & 255, (i * 7) & 255, (i * 91) & 255] as const,
  );
  const key = [1, 2, 3];
  const sample = (x: number, y: number, channel: number) => {
    if (x === 0 && y === 0) return (key[channel] ?? 0) & max;
    return (x * 2_654_435 + y * 283_521 + channel * 977 + x * y * 131) % (max + 1);
  };
  if (shape.colourType === 3) {
    return { ...shape, palette, transparency: palette.map((_, i) => (i % 3 === 0 ? 0 : i & 255)), sample };
  }
  if (shape.colourType === 0) return { ...shape, transparency: [1], sample };
  if (shape.colourType === 2) return { ...shape, transparency: key, sample };
  return { ...shape, sample };
}

const plain: PngShape = {
  width: 64,
  height: 64,
  colourType: 6,
  depth: 8,
  sample: (x, y, c) => (c === 3 ? (x & 1) * 255 : (x * 8 + y * 3 + c * 50) & 255),
};
const [ihdr, data] = makeChunks(plain) as [Chunk, Chunk, Chunk];
const indexed: PngShape = {
  width: 8,
  height: 8,
  colourType: 3,
  depth: 4,
  palette: [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ],
  sample: (x, y) => (x + y) % 3,
};
const [indexedHeader, palette, indexedData] = makeChunks(indexed) as [Chunk, Chunk, Chunk, Chunk];

async function failure(bytes: Uint8Array): Promise<AppError> {
  const error: unknown = await decodePng(bytes, limits).then(
    () => new Error("was accepted"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return error;
}

describe("decodePng reads", () => {
  const kinds = colourShapes.flatMap(({ colourType, depth }) =>
    [false, true].flatMap((interlaced) =>
      [1, 7, 64].map((width) => ({ colourType, depth, interlaced, width })),
    ),
  );
  test.each(kinds)("type $colourType, $depth bits, interlaced $interlaced, width $width", async (kind) => {
    const shape = varied({ ...kind, height: 9, filter: "mixed" });
    const got = await decodePng(makePng(shape), limits);
    const want = expectedBitmap(shape);
    expect([got.width, got.height]).toEqual([want.width, want.height]);
    expect(Buffer.compare(got.data, want.data)).toBe(0);
  });

  test.each([
    ["gamma", chunk("gAMA", uint32(22_727))],
    ["sRGB", chunk("sRGB", Uint8Array.of(0))],
    [
      "a colour profile",
      chunk("iCCP", concat(Buffer.from("x\0\0"), new Uint8Array(deflateSync("no profile")))),
    ],
    ["significant bits", chunk("sBIT", Uint8Array.of(5, 5, 5, 5))],
    ["text", chunk("tEXt", Buffer.from("Comment\0hello"))],
    ["an empty tEXt", chunk("tEXt")],
    ["an unknown ancillary chunk", chunk("abCd", Uint8Array.of(1, 2, 3))],
    ["a suggested palette", chunk("PLTE", Uint8Array.of(1, 2, 3))],
    ["tRNS beside alpha", chunk("tRNS", Uint8Array.of(0, 0))],
  ])("the same pixels whatever metadata says: %s", async (_, extra) => {
    const got = await decodePng(joinChunks([ihdr, extra, data, iend]), limits);
    expect(Buffer.compare(got.data, expectedBitmap(plain).data)).toBe(0);
  });

  test("image data in many chunks, some of them empty", async () => {
    const parts = [
      data.data.subarray(0, 1),
      new Uint8Array(0),
      data.data.subarray(1, 9),
      data.data.subarray(9),
    ];
    const got = await decodePng(
      joinChunks([ihdr, ...parts.map((part) => chunk("IDAT", part)), iend]),
      limits,
    );
    expect(Buffer.compare(got.data, expectedBitmap(plain).data)).toBe(0);
  });

  test("a file at an odd place of a larger buffer", async () => {
    const png = makePng(plain);
    const shifted = concat(Uint8Array.of(0), png).subarray(1);
    expect((await decodePng(shifted, limits)).data).toEqual(expectedBitmap(plain).data);
  });

  test("pictures of exactly the greatest size", async () => {
    const got = await decodePng(makePng({ ...plain, width: 32, height: 16 }), {
      widthMax: 32,
      heightMax: 16,
      bytesMax: makePng({ ...plain, width: 32, height: 16 }).length,
    });
    expect(got.width).toBe(32);
  });
});

describe("decodePng refuses", () => {
  const sized = (width: number, height: number) => ({
    ...ihdr,
    data: concat(uint32(width, height), ihdr.data.subarray(8)),
  });
  const header = (at: number, value: number) => ({ ...ihdr, data: ihdr.data.with(at, value) });
  const png = makePng(plain);
  const rows = filteredRows(plain);
  const badFilter = (at: number) => rows.with(at * 257, 5);
  const bomb = chunk("IDAT", new Uint8Array(deflateSync(new Uint8Array(64 << 20), { level: 9 })));

  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ["nothing", new Uint8Array(0), /not a PNG/],
    ["a JPEG", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46), /not a PNG/],
    ["a signature alone", signature, /cut off/],
    ["a file without IEND", joinChunks([ihdr, data]), /cut off/],
    ["a file cut in its image data", png.subarray(0, png.length - 40), /cut off/],
    ["a file cut in its last chunk", png.subarray(0, png.length - 1), /cut off/],
    ["a wrong CRC of the header", png.with(20, png[20]! ^ 1), /CRC of its IHDR/],
    ["a wrong CRC of the image data", png.with(60, png[60]! ^ 1), /CRC of its IDAT/],
    [
      "a chunk longer than the file",
      concat(joinChunks([ihdr]), uint32(0xffffffff), Buffer.from("IDATabcd")),
      /cut off inside/,
    ],
    ["a chunk without a name", joinChunks([ihdr, chunk("\0\0\0\0"), data, iend]), /no name/],
    ["a first chunk that is not the header", joinChunks([chunk("tEXt"), ihdr, data, iend]), /header/],
    ["a short header", joinChunks([{ ...ihdr, data: ihdr.data.subarray(0, 12) }, data, iend]), /header/],
    ["two headers", joinChunks([ihdr, ihdr, data, iend]), /two headers/],
    ["width 0", joinChunks([sized(0, 64), data, iend]), /no pixels/],
    ["height 0", joinChunks([sized(64, 0), data, iend]), /no pixels/],
    [
      "20000 x 20000",
      joinChunks([sized(20_000, 20_000), data, iend]),
      /20000 x 20000 pixels; at most 1024 x 1024/,
    ],
    ["one column too many", joinChunks([sized(1025, 64), data, iend]), /1025 x 64/],
    ["one row too many", joinChunks([sized(64, 1025), data, iend]), /64 x 1025/],
    ["a size of 2^31", joinChunks([sized(2 ** 31, 1), data, iend]), /2147483648/],
    ["colour type 5", joinChunks([header(9, 5), data, iend]), /colour type 5/],
    ["RGBA of 4 bits", joinChunks([header(8, 4), data, iend]), /4 bits/],
    ["an unknown compression", joinChunks([header(10, 1), data, iend]), /compression/],
    ["an unknown filter method", joinChunks([header(11, 1), data, iend]), /filter/],
    ["an unknown interlacing", joinChunks([header(12, 2), data, iend]), /interlacing/],
    ["APNG", joinChunks([ihdr, chunk("acTL", uint32(1, 0)), data, iend]), /animated/],
    ["APNG frames", joinChunks([ihdr, data, chunk("fdAT", uint32(1)), iend]), /animated/],
    ["an unknown critical chunk", joinChunks([ihdr, chunk("ABCD"), data, iend]), /unknown chunk ABCD/],
    ["bytes after IEND", concat(png, Uint8Array.of(0)), /after its end/],
    ["a second picture behind the first", concat(png, png), /after its end/],
    ["IEND with data", joinChunks([ihdr, data, chunk("IEND", Uint8Array.of(1))]), /IEND/],
    ["no image data", joinChunks([ihdr, iend]), /no image data/],
    ["empty image data", joinChunks([ihdr, chunk("IDAT"), iend]), /damaged image data/],
    ["image data in two places", joinChunks([ihdr, idat(rows), chunk("tEXt"), idat(rows), iend]), /separate/],
    ["no palette", joinChunks([indexedHeader, indexedData, iend]), /lacks its palette/],
    [
      "an empty palette",
      joinChunks([indexedHeader, chunk("PLTE"), indexedData, iend]),
      /palette of a wrong size/,
    ],
    [
      "half a palette entry",
      joinChunks([indexedHeader, chunk("PLTE", new Uint8Array(4)), indexedData, iend]),
      /wrong size/,
    ],
    [
      "17 entries for 4 bits",
      joinChunks([indexedHeader, chunk("PLTE", new Uint8Array(51)), indexedData, iend]),
      /more palette/,
    ],
    ["two palettes", joinChunks([indexedHeader, palette, palette, indexedData, iend]), /two palettes/],
    [
      "a palette after the image data",
      joinChunks([indexedHeader, indexedData, palette, iend]),
      /PLTE chunk after/,
    ],
    ["a grey picture with a palette", joinChunks([header(9, 4), palette, data, iend]), /grey/],
    [
      "tRNS before the palette",
      joinChunks([indexedHeader, chunk("tRNS", Uint8Array.of(1)), palette, indexedData, iend]),
      /before its palette/,
    ],
    [
      "tRNS longer than the palette",
      joinChunks([indexedHeader, palette, chunk("tRNS", new Uint8Array(4)), indexedData, iend]),
      /tRNS chunk of a wrong size/,
    ],
    [
      "tRNS after the image data",
      joinChunks([indexedHeader, palette, indexedData, chunk("tRNS", new Uint8Array(1)), iend]),
      /tRNS chunk after/,
    ],
    [
      "two tRNS",
      joinChunks([indexedHeader, palette, chunk("tRNS"), chunk("tRNS"), indexedData, iend]),
      /two tRNS/,
    ],
    [
      "tRNS of an RGB picture with one sample",
      joinChunks([header(9, 2), chunk("tRNS", new Uint8Array(2)), data, iend]),
      /tRNS/,
    ],
    [
      "a palette index out of range",
      makePng({ ...indexed, sample: () => 3 }),
      /colour 3, which its palette lacks/,
    ],
    [
      "more image data than fits",
      joinChunks([ihdr, idat(concat(rows, Uint8Array.of(0))), iend]),
      /more image data/,
    ],
    ["64 MiB of image data in 64 KiB", joinChunks([ihdr, bomb, iend]), /more image data/],
    ["less image data than needed", joinChunks([ihdr, idat(rows.subarray(1)), iend]), /less image data/],
    [
      "a cut zlib stream",
      joinChunks([ihdr, chunk("IDAT", data.data.subarray(0, -8)), iend]),
      /damaged image data/,
    ],
    [
      "a wrong Adler-32",
      joinChunks([ihdr, chunk("IDAT", data.data.with(data.data.length - 1, data.data.at(-1)! ^ 1)), iend]),
      /damaged image data/,
    ],
    [
      "bytes after the zlib stream",
      joinChunks([ihdr, data, chunk("IDAT", Uint8Array.of(0)), iend]),
      /after its image data/,
    ],
    ["an unknown filter in the first row", joinChunks([ihdr, idat(badFilter(0)), iend]), /filter/],
    ["an unknown filter in the last row", joinChunks([ihdr, idat(badFilter(63)), iend]), /filter/],
  ];
  test.each(cases)("%s", async (_, bytes, message) => {
    const error = await failure(bytes);
    expect(error.kind).toBe("invalid");
    expect(error.message).toMatch(message);
  });

  test("a file over the limit of bytes, whatever it holds", async () => {
    const error = await failure(new Uint8Array(limits.bytesMax + 1));
    expect(error.kind).toBe("too_large");
  });

  test("a wrong length of the chunk before a sound one", async () => {
    const broken = concat(signature, encodeChunk(ihdr).with(3, 12), encodeChunk(data), encodeChunk(iend));
    expect((await failure(broken)).kind).toBe("invalid");
  });
});

/** A linear congruential generator: the same mutations in every run. */
function* randomNumbers(seed: number) {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = bytes.slice();
  for (let i = 0; i < 1 + (random() % 4); i++) copy[random() % copy.length] = random();
  if (random() % 4 === 0) return copy.subarray(0, random() % copy.length);
  return copy;
}
/** Half of the mutations hide under a right CRC, so that they reach what lies behind that check. */
function mutateChunks(shape: PngShape, random: () => number): Uint8Array {
  const chunks = makeChunks(shape);
  const victim = chunks[random() % chunks.length]!;
  if (victim.data.length > 0) victim.data[random() % victim.data.length] = random();
  return joinChunks(chunks);
}

describe("mutated files", () => {
  const seeds = [
    makePng(plain),
    makePng(indexed),
    makePng(varied({ width: 20, height: 20, colourType: 2, depth: 16, interlaced: true, filter: "mixed" })),
  ];
  test("decode to a bitmap or fail as invalid, nothing else", async () => {
    const numbers = randomNumbers(7);
    const random = () => numbers.next().value!;
    let decoded = 0;
    for (let i = 0; i < 400; i++) {
      const bytes = i % 2 ? mutate(seeds[i % 3]!, random) : mutateChunks(i % 4 ? plain : indexed, random);
      const result = await decodePng(bytes, limits).catch((error: unknown) => error);
      if (result instanceof AppError) {
        expect(result.kind).toBe("invalid");
        continue;
      }
      expect(result).toHaveProperty("width");
      decoded += 1;
    }
    expect(decoded).toBeGreaterThan(0);
    expect(decoded).toBeLessThan(400);
  });
});

describe("decodeStoredPng", () => {
  test.each([1, 2, 3, 5, 17, 256, 257, 4096, 65_536])("reads what encodePng wrote: %d colours", (colours) => {
    const shape: PngShape = {
      ...plain,
      width: 128,
      height: colours > 4096 ? 1024 : 64,
      sample: (x, y, c) => {
        const index = (x + y * 128) % colours;
        return c === 0 ? index & 255 : c === 1 ? index >> 8 : c === 2 ? 9 : index % 5 === 0 ? 0 : 255;
      },
    };
    const bitmap = expectedBitmap(shape);
    expect(Buffer.compare(decodeStoredPng(encodePng(bitmap)).data, bitmap.data)).toBe(0);
  });

  test.each([
    ["nothing", new Uint8Array(0)],
    ["another format", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)],
    ["a file cut short", encodePng(expectedBitmap(plain)).subarray(0, 90)],
  ])("calls %s a damage of the storage", (_, bytes) => {
    expect(() => decodeStoredPng(bytes)).toThrow(AppError);
  });
});
