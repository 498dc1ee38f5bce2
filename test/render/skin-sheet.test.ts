import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { type Canvas, createCanvas } from "../../src/render/bitmap.ts";
import { detectModel } from "../../src/render/detect-model.ts";
import { prepareSkin } from "../../src/render/skin-sheet.ts";
import { faceFacts, type RectTuple, rectOf } from "./facts.ts";
import { fill, paintSkin, variedSkin, word } from "./paint.ts";

/** Legacy conversion, typed out: the face of a right limb, its rectangle, and where its flipped copy goes. */
const legacyMoves: readonly [string, RectTuple, x: number, y: number][] = [
  ["leg top", [4, 16, 4, 4], 20, 48],
  ["leg bottom", [8, 16, 4, 4], 24, 48],
  ["leg right to left", [0, 20, 4, 12], 24, 52],
  ["leg front", [4, 20, 4, 12], 20, 52],
  ["leg left to right", [8, 20, 4, 12], 16, 52],
  ["leg back", [12, 20, 4, 12], 28, 52],
  ["arm top", [44, 16, 4, 4], 36, 48],
  ["arm bottom", [48, 16, 4, 4], 40, 48],
  ["arm right to left", [40, 20, 4, 12], 40, 52],
  ["arm front", [44, 20, 4, 12], 36, 52],
  ["arm left to right", [48, 20, 4, 12], 32, 52],
  ["arm back", [52, 20, 4, 12], 44, 52],
];
const scales = [1, 2, 3, 4, 16];
const at = (sheet: Canvas, x: number, y: number) => sheet.words[y * sheet.width + x]!;
const prepare = (bitmap: Canvas, model: "classic" | "slim" = "classic") => prepareSkin({ bitmap, model });

describe.each(scales)("a legacy sheet of scale %d", (scale) => {
  const sheet = variedSkin({ scale, height: 32 });
  const { canvas, model } = prepare(sheet, "slim");

  test.each(legacyMoves)("gives the left limb its %s flipped", (_, [x, y, width, height], toX, toY) => {
    for (let row = 0; row < height * scale; row++) {
      for (let column = 0; column < width * scale; column++) {
        const source = at(sheet, x * scale + column, y * scale + row);
        expect(at(canvas, (toX + width) * scale - 1 - column, toY * scale + row)).toBe(source);
      }
    }
  });

  test("becomes square, is always classic and has no second layer but the hat", () => {
    expect([canvas.width, canvas.height, model]).toEqual([64 * scale, 64 * scale, "classic"]);
    for (const { part, layer, rect } of faceFacts("classic")) {
      if (layer === "second" && part !== "head") expect(at(canvas, rect[0] * scale, rect[1] * scale)).toBe(0);
    }
  });
});

describe.each(scales)("the hat of a legacy sheet of scale %d", (scale) => {
  const hatCorner = [40 * scale, 8 * scale] as const;
  const last = 63 * scale + scale - 1;
  const solid = () => {
    const sheet = createCanvas(64 * scale, 32 * scale);
    sheet.words.fill(word([10, 20, 30]));
    return sheet;
  };

  test("is dropped when nothing in its region is see-through", () => {
    expect(at(prepare(solid()).canvas, ...hatCorner)).toBe(0);
  });

  test.each([
    ["the first texel of the hat", 32 * scale, 0],
    ["the last texel of the region, which no face uses", last, 31 * scale + scale - 1],
  ])("is kept when %s has alpha 127", (_, x, y) => {
    const sheet = solid();
    sheet.words[y * sheet.width + x] = word([0, 0, 0, 127]);
    expect(at(prepare(sheet).canvas, ...hatCorner)).toBe(word([10, 20, 30]));
  });

  test("is dropped when the least alpha of its region is 128", () => {
    const sheet = solid();
    sheet.words[32 * scale] = word([0, 0, 0, 128]);
    expect(at(prepare(sheet).canvas, ...hatCorner)).toBe(0);
  });

  test("is not judged by what lies outside of its region", () => {
    const sheet = solid();
    sheet.words[0] = 0;
    expect(at(prepare(sheet).canvas, ...hatCorner)).toBe(0);
  });
});

describe.each(scales)("a 64x64 sheet of scale %d", (scale) => {
  test.each(["classic", "slim"] as const)(
    "of a %s skin: shows the first layer's colour under alpha 0",
    (arms) => {
      const sheet = paintSkin(({ layer }) => (layer === "first" ? [9, 8, 7, 0] : undefined), { arms, scale });
      const { canvas } = prepare(sheet, arms);
      for (const { layer, rect } of faceFacts(arms)) {
        const [x, y] = [(rect[0] + rect[2]) * scale - 1, (rect[1] + rect[3]) * scale - 1];
        expect(at(canvas, x, y)).toBe(layer === "first" ? word([9, 8, 7]) : 0);
      }
    },
  );

  test("keeps every alpha of the second layer", () => {
    const sheet = paintSkin(
      ({ layer, column, row }) => [1, 2, 3, layer === "first" ? 255 : column * 8 + row],
      { scale },
    );
    const { canvas } = prepare(sheet);
    for (const { layer, rect } of faceFacts("classic")) {
      if (layer === "second")
        expect(at(canvas, (rect[0] + 2) * scale, (rect[1] + 3) * scale)).toBe(word([1, 2, 3, 19]));
    }
  });

  test("has no second layer when it is opaque everywhere: a flattened export", () => {
    const sheet = createCanvas(64 * scale, 64 * scale);
    sheet.words.fill(word([1, 2, 3]));
    const { canvas } = prepare(sheet);
    for (const { layer, rect } of faceFacts("classic")) {
      expect(at(canvas, rect[0] * scale, rect[1] * scale)).toBe(layer === "first" ? word([1, 2, 3]) : 0);
    }
  });

  test("keeps an opaque second layer when any texel of the sheet is not opaque", () => {
    const sheet = createCanvas(64 * scale, 64 * scale);
    sheet.words.fill(word([1, 2, 3]));
    sheet.words[sheet.words.length - 1] = word([1, 2, 3, 254]);
    const [x, y] = rectOf("classic", "torso", "second", "front");
    expect(at(prepare(sheet).canvas, x * scale, y * scale)).toBe(word([1, 2, 3]));
  });

  test("is copied, never changed", () => {
    const sheet = variedSkin({ scale });
    const before = sheet.words.slice();
    prepare(sheet);
    expect(sheet.words).toEqual(before);
  });
});

test.each([
  [0, 0],
  [1, 1],
  [63, 63],
  [65, 64],
  [64, 65],
  [64, 16],
  [32, 32],
  [96, 96],
  [64, 128],
  [32, 64],
])("a sheet of %d x %d is refused", (width, height) => {
  expect(() => prepare(createCanvas(width, height))).toThrow(AppError);
});

describe.each([1, 2, 16])("the model of a skin of scale %d", (scale) => {
  const unused = [
    [50, 16, 2, 4],
    [54, 20, 2, 12],
    [42, 48, 2, 4],
    [46, 52, 2, 12],
  ].map((rect) => rect.map((value) => value * scale));
  const opaque = (paint?: (sheet: Canvas) => void) => {
    const sheet = createCanvas(64 * scale, 64 * scale);
    sheet.words.fill(word([100, 150, 200]));
    paint?.(sheet);
    return sheet;
  };

  test("is classic when arms of four are painted", () => expect(detectModel(opaque())).toBe("classic"));

  test.each(
    unused.flatMap(([x, y, w, h]) => [
      [x!, y!],
      [x! + w! - 1, y! + h! - 1],
    ]),
  )("is slim when texel %d, %d, which slim arms leave unused, has alpha 254", (x, y) =>
    expect(detectModel(opaque((sheet) => fill(sheet, [x, y, 1, 1], [1, 1, 1, 254])))).toBe("slim"),
  );

  test.each([
    ["black", 0, "slim"],
    ["white", 255, "slim"],
    ["grey", 128, "classic"],
  ] as const)("with unused columns all %s (%d) is %s", (_, value, model) => {
    const sheet = opaque((canvas) => unused.forEach((rect) => fill(canvas, rect, [value, value, value])));
    expect(detectModel(sheet)).toBe(model);
  });

  test("is classic when some unused columns are black and some white", () => {
    const sheet = opaque((canvas) =>
      unused.forEach((rect, i) => fill(canvas, rect, i ? [0, 0, 0] : [255, 255, 255])),
    );
    expect(detectModel(sheet)).toBe("classic");
  });

  test("is classic when holes lie elsewhere only", () => {
    expect(detectModel(opaque((sheet) => fill(sheet, [0, 0, 8 * scale, 8 * scale], [0, 0, 0, 0])))).toBe(
      "classic",
    );
  });

  test("is classic for a legacy sheet, whatever its pixels", () => {
    expect(detectModel(createCanvas(64 * scale, 32 * scale))).toBe("classic");
  });
});
