import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { createCanvas } from "../../src/render/bitmap.ts";
import { normaliseCape, prepareCape, prepareWings, wingsOf } from "../../src/render/cape-sheet.ts";
import { colourAt, fill, word } from "./paint.ts";

const numbered = (width: number, height: number) => {
  const canvas = createCanvas(width, height);
  canvas.words.forEach((_, i) => (canvas.words[i] = word([i & 255, (i >> 8) & 255, (i >> 16) & 255, 200])));
  return canvas;
};

describe("normaliseCape", () => {
  test.each([
    [22, 17],
    [44, 34],
    [352, 272],
    [46, 22],
    [92, 44],
    [736, 352],
  ])("lays a crop of %d x %d at the upper left of a full sheet", (width, height) => {
    const crop = numbered(width, height);
    const sheet = normaliseCape(crop);
    const scale = width % 22 === 0 ? width / 22 : width / 46;
    expect([sheet.width, sheet.height]).toEqual([64 * scale, 32 * scale]);
    const words = new Uint32Array(sheet.data.buffer);
    for (let y = 0; y < sheet.height; y++) {
      const row = words.subarray(y * sheet.width, (y + 1) * sheet.width);
      if (y < height) expect(row.subarray(0, width)).toEqual(crop.words.subarray(y * width, (y + 1) * width));
      expect(row.subarray(y < height ? width : 0).every((pixel) => pixel === 0)).toBe(true);
    }
  });

  test.each([1, 2, 3, 16])("leaves a full sheet of scale %d as it is", (scale) => {
    const sheet = numbered(64 * scale, 32 * scale);
    expect(normaliseCape(sheet)).toBe(sheet);
  });

  test.each([
    [64, 64],
    [0, 0],
    [22, 34],
    [32, 16],
    [46, 17],
    [23, 17],
    [65, 32],
  ])("refuses %d x %d", (width, height) => {
    expect(() => normaliseCape(createCanvas(width, height))).toThrow(AppError);
  });
});

describe("wingsOf", () => {
  test.each([1, 2, 5])("keeps the wings of a sheet of scale %d and nothing else", (scale) => {
    const sheet = numbered(64 * scale, 32 * scale);
    const wings = wingsOf(sheet)!;
    expect([wings.width, wings.height]).toEqual([64 * scale, 32 * scale]);
    for (let y = 0; y < wings.height; y++) {
      for (let x = 0; x < wings.width; x++) {
        const isWing = x >= 22 * scale && x < 46 * scale && y < 22 * scale;
        expect(colourAt(wings, x, y)).toEqual(isWing ? colourAt(sheet, x, y) : [0, 0, 0, 0]);
      }
    }
  });

  test.each([
    ["nothing at all", []],
    ["something in the cape alone", [[1, 1, 10, 16]]],
    [
      "something beside the wings alone",
      [
        [21, 0, 1, 32],
        [46, 0, 18, 32],
        [0, 22, 64, 10],
      ],
    ],
  ])("finds none where a sheet has %s", (_, filled) => {
    const sheet = createCanvas(64, 32);
    for (const area of filled) fill(sheet, area, [9, 9, 9]);
    expect(wingsOf(sheet)).toBeNull();
  });

  test.each([
    [22, 0],
    [45, 0],
    [22, 21],
    [45, 21],
  ])("one opaque texel at %d, %d is enough", (x, y) => {
    const sheet = createCanvas(64, 32);
    fill(sheet, [x, y, 1, 1], [9, 9, 9]);
    expect(wingsOf(sheet)).not.toBeNull();
  });

  test("takes faint texels for holes", () => {
    const sheet = createCanvas(64, 32);
    fill(sheet, [22, 0, 24, 22], [9, 9, 9, 127]);
    expect(wingsOf(sheet)).toBeNull();
    fill(sheet, [30, 9, 1, 1], [9, 9, 9, 128]);
    expect(prepareWings(wingsOf(sheet)!).words.filter((pixel) => pixel !== 0)).toHaveLength(24 * 22);
    expect(prepareWings(wingsOf(sheet)!).words.filter((pixel) => pixel >>> 24 === 255)).toHaveLength(1);
  });
});

test("a cape is drawn without transparency and with the colour that it hides", () => {
  const cape = createCanvas(64, 32);
  cape.words.fill(word([5, 6, 7, 0]));
  expect(prepareCape(cape).words.every((pixel) => pixel === word([5, 6, 7]))).toBe(true);
  expect(cape.words[0]).toBe(word([5, 6, 7, 0]));
});
