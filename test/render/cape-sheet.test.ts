import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { createCanvas } from "../../src/render/bitmap.ts";
import { normaliseCape, prepareCape } from "../../src/render/cape-sheet.ts";
import { word } from "./paint.ts";

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

test("a cape is drawn without transparency and with the colour that it hides", () => {
  const cape = createCanvas(64, 32);
  cape.words.fill(word([5, 6, 7, 0]));
  expect(prepareCape(cape).words.every((pixel) => pixel === word([5, 6, 7]))).toBe(true);
  expect(cape.words[0]).toBe(word([5, 6, 7, 0]));
});
