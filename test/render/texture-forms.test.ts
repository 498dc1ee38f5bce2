/** Textures as files in another form (docs/contract/delivery.md#files-in-other-forms). */
import { describe, expect, test } from "bun:test";
import { type Bitmap, type Canvas, copyOf, createCanvas } from "../../src/render/bitmap.ts";
import { scaleNearest } from "../../src/render/flat.ts";
import { legacySheet } from "../../src/render/legacy-sheet.ts";
import { reduce } from "../../src/render/reduce.ts";
import { colourAt, fill, paintSkin, variedSkin, word, type Colour } from "./paint.ts";

const red: Colour = [200, 10, 20];
const green: Colour = [10, 180, 30];
const half = [0, 0, 255, 128] as const;

const legacy = (bitmap: Bitmap, model: "classic" | "slim" = "classic") => legacySheet({ bitmap, model });
const part = ({ words }: Canvas, from: number, rows: number) => [
  ...words.subarray(from * 64, (from + rows) * 64),
];
const wordsOf = (bitmap: Bitmap) => [...copyOf(bitmap).words];

describe("a skin for clients before 1.8", () => {
  test("is 64x32", () => {
    const { width, height } = legacy(variedSkin());
    expect({ width, height }).toEqual({ width: 64, height: 32 });
  });

  test("keeps the head with its hat, and all that no face shows", () => {
    const sheet = variedSkin();
    fill(sheet, [56, 16, 8, 16], half);
    const made = copyOf(legacy(sheet));
    expect(part(made, 0, 16)).toEqual(part(sheet, 0, 16));
    for (let y = 16; y < 32; y++) {
      for (let x = 56; x < 64; x++) expect(colourAt(made, x, y)).toEqual([...half]);
    }
  });

  test.each([
    ["torso", 16, 24],
    ["right arm", 40, 16],
    ["right leg", 0, 16],
  ])("shows the second layer of the %s over the first", (_, x, width) => {
    const sheet = paintSkin(({ layer }) => (layer === "first" ? red : undefined));
    fill(sheet, [x, 32, width, 16], green);
    const made = legacy(sheet);
    expect(colourAt(made, x + 4, 16)).toEqual([10, 180, 30, 255]);
    expect(colourAt(made, x + 4, 31)).toEqual([10, 180, 30, 255]);
    // The corners of an unfolded box are no part of it.
    expect(colourAt(made, x, 16)).toEqual([0, 0, 0, 0]);
    const others = [4, 20, 44].filter((other) => other !== x + 4);
    for (const other of others) expect(colourAt(made, other, 20)).toEqual([200, 10, 20, 255]);
  });

  test("mixes what is half transparent with what is below", () => {
    const sheet = paintSkin(({ layer }) => (layer === "first" ? red : half));
    expect(colourAt(legacy(sheet), 20, 20)).toEqual([100, 5, 138, 255]);
  });

  test("keeps the first layer where the second is empty, also where it is transparent itself", () => {
    const sheet = createCanvas(64, 64);
    fill(sheet, [16, 16, 24, 16], [9, 8, 7, 0]);
    expect(colourAt(legacy(sheet), 20, 20)).toEqual([9, 8, 7, 0]);
  });

  test("does not take the left limbs, which these clients draw from the right ones", () => {
    const sheet = paintSkin(({ part: name }) => (name.startsWith("left") ? green : red));
    const made = legacy(sheet);
    const greens = wordsOf(made).filter((one) => one === word(green));
    expect(greens).toEqual([]);
  });

  test("leaves the second layer of a flattened export out", () => {
    const sheet = createCanvas(64, 64);
    fill(sheet, [0, 0, 64, 64], green);
    fill(sheet, [0, 0, 64, 32], red);
    expect(new Set(wordsOf(legacy(sheet)))).toEqual(new Set([word(red)]));
  });

  test.each([1, 2, 16])("that is 64x32 already stays as it is, at scale %d", (scale) => {
    const sheet = variedSkin({ height: 32 });
    const fine = scaleNearest(sheet, 64 * scale, 32 * scale);
    for (const model of ["classic", "slim"] as const)
      expect(wordsOf(legacy(fine, model))).toEqual([...sheet.words]);
  });

  test.each([2, 3, 8])("is made of 64 texels first: scale %d gives the same", (scale) => {
    const sheet = variedSkin();
    const fine = scaleNearest(sheet, 64 * scale, 64 * scale);
    for (const model of ["classic", "slim"] as const) {
      expect(wordsOf(legacy(fine, model))).toEqual(wordsOf(legacy(sheet, model)));
    }
  });

  test("leaves the texture that it is made from alone", () => {
    const sheet = variedSkin({ arms: "slim" });
    const before = [...sheet.words];
    legacy(sheet, "slim");
    expect([...sheet.words]).toEqual(before);
  });
});

/**
 * The columns of slim arms for each column of classic ones, typed out from the format: the front's right and
 * the back's left edge touch the body.
 */
const columns = [40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49, 50, 51, 51, 52, 53];
const lids = [44, 45, 46, 46, 47, 48, 49, 49];

describe("slim arms for clients before 1.8", () => {
  const sheet = paintSkin(
    ({ rect: [x, y], column, row, layer }) => (layer === "first" ? [x + column, y + row, 90] : undefined),
    { arms: "slim" },
  );
  // What slim arms leave unused: some programs paint it black.
  fill(sheet, [54, 20, 2, 12], [0, 0, 0]);
  const made = legacy(sheet, "slim");

  test("are four texels wide: the column next to the body is doubled", () => {
    for (let y = 20; y < 32; y++) {
      for (const [at, from] of columns.entries())
        expect(colourAt(made, 40 + at, y)).toEqual([from, y, 90, 255]);
    }
    for (let y = 16; y < 20; y++) {
      for (const [at, from] of lids.entries()) expect(colourAt(made, 44 + at, y)).toEqual([from, y, 90, 255]);
    }
  });

  test("have sleeves as wide as they are", () => {
    const sleeved = copyOf(sheet);
    for (let y = 36; y < 48; y++) {
      for (let x = 40; x < 54; x++) fill(sleeved, [x, y, 1, 1], [x, y, 30]);
    }
    const wide = legacy(sleeved, "slim");
    for (const [at, from] of columns.entries())
      expect(colourAt(wide, 40 + at, 25)).toEqual([from, 41, 30, 255]);
  });

  test("are widened nowhere but at the arm", () => {
    for (const x of [0, 5, 20, 39]) expect(colourAt(made, x, 25)).toEqual(colourAt(sheet, x, 25));
  });
});

describe("a reduced texture", () => {
  test.each([
    [2, 64],
    [4, 64],
    [3, 64],
    [16, 64],
    [4, 128],
  ])("whose texels were enlarged %d times has them again at %d pixels", (scale, width) => {
    const sheet = variedSkin({ scale: width / 64 });
    const fine = scaleNearest(sheet, 64 * scale, 64 * scale);
    expect([...reduce(fine, width).words]).toEqual([...sheet.words]);
  });

  test("keeps colour under alpha 0 where nothing is seen", () => {
    const sheet = createCanvas(128, 64);
    fill(sheet, [0, 0, 128, 64], [9, 8, 7, 0]);
    expect(colourAt(reduce(sheet, 64), 10, 10)).toEqual([9, 8, 7, 0]);
  });

  test("is the average of what it covers, weighed by alpha", () => {
    const sheet = createCanvas(128, 128);
    fill(sheet, [0, 0, 2, 1], [200, 100, 0, 255]);
    fill(sheet, [0, 1, 1, 1], [0, 0, 0, 0]);
    fill(sheet, [1, 1, 1, 1], [0, 100, 200, 255]);
    expect(colourAt(reduce(sheet, 64), 0, 0)).toEqual([133, 100, 67, 191]);
  });

  test("counts a part of a pixel as that part", () => {
    const sheet = createCanvas(96, 96);
    fill(sheet, [0, 0, 96, 96], [0, 0, 0]);
    fill(sheet, [1, 0, 1, 96], [150, 150, 150]);
    const reduced = reduce(sheet, 64);
    // Each pixel covers one and a half of the source.
    expect([colourAt(reduced, 0, 5), colourAt(reduced, 1, 5)]).toEqual([
      [50, 50, 50, 255],
      [50, 50, 50, 255],
    ]);
  });

  test("is half as high as wide where its source is", () => {
    const { width, height } = reduce(createCanvas(256, 128), 128);
    expect({ width, height }).toEqual({ width: 128, height: 64 });
  });

  test("is never larger", () => {
    expect(() => reduce(createCanvas(64, 64), 128)).toThrow(RangeError);
  });
});
