import { describe, expect, test } from "bun:test";
import { createCanvas } from "../../src/render/bitmap.ts";
import { pictureSize, renderPicture } from "../../src/render/render.ts";
import { type Arms, rectOf } from "./facts.ts";
import { type Colour, colourAt, paintSkin, type Texel, variedSkin } from "./paint.ts";

/** Where each front stands on a picture of 16 x 32 units, typed out. The player's right is on image-left. */
const bodyPlaces: readonly [part: string, arms: Arms, x: number, y: number][] = [
  ["head", "classic", 4, 0],
  ["torso", "classic", 4, 8],
  ["rightArm", "classic", 0, 8],
  ["leftArm", "classic", 12, 8],
  ["rightLeg", "classic", 4, 20],
  ["leftLeg", "classic", 8, 20],
  ["head", "slim", 4, 0],
  ["rightArm", "slim", 1, 8],
  ["leftArm", "slim", 12, 8],
];
const flat = (view: "head" | "body", size: number, bitmap = variedSkin(), model: Arms = "classic") =>
  renderPicture({ view, type: "skin", size, skin: { bitmap, model } });
const hat = (alpha: number) =>
  paintSkin(({ layer }) => (layer === "first" ? [200, 100, 0] : [0, 100, 200, alpha]));
const only = (layer: Texel["layer"], colour: Colour) => (texel: Texel) =>
  texel.layer === layer ? colour : undefined;

describe("the flat body", () => {
  test.each(bodyPlaces)("shows the front of the %s (%s) at %d, %d", (part, arms, x, y) => {
    const sheet = paintSkin(
      ({ layer, rect, column, row }) =>
        layer === "first" ? [rect[0] + column, rect[1] + row, 9] : undefined,
      { arms },
    );
    const picture = flat("body", 16, sheet, arms);
    const [u, v, width, height] = rectOf(arms, part, "first", "front");
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        expect(colourAt(picture, x + column, y + row)).toEqual([u + column, v + row, 9, 255]);
      }
    }
  });

  test.each(["classic", "slim"] as const)(
    "lies on transparent ground beside head, legs and %s arms",
    (arms) => {
      const picture = flat("body", 16, variedSkin({ arms }), arms);
      const shown = Array.from({ length: 32 }, (_, y) =>
        Array.from({ length: 16 }, (_, x) => (colourAt(picture, x, y)[3] ? "#" : ".")).join(""),
      );
      const shoulders = arms === "slim" ? ".##############." : "################";
      expect(shown).toEqual([
        ...Array<string>(8).fill("....########...."),
        ...Array<string>(12).fill(shoulders),
        ...Array<string>(12).fill("....########...."),
      ]);
    },
  );

  test("shows the player's own sleeves on his own arms", () => {
    const sheet = paintSkin(({ part, layer }) => {
      const side = part.startsWith("right") ? 200 : 100;
      return layer === "first" ? [side, 0, 0] : [side, 255, 0, part.endsWith("Arm") ? 255 : 0];
    });
    const picture = flat("body", 16, sheet);
    expect([colourAt(picture, 1, 10), colourAt(picture, 14, 10)]).toEqual([
      [200, 255, 0, 255],
      [100, 255, 0, 255],
    ]);
    expect([colourAt(picture, 5, 25), colourAt(picture, 10, 25)]).toEqual([
      [200, 0, 0, 255],
      [100, 0, 0, 255],
    ]);
  });

  test("mirrors the limbs of a legacy skin", () => {
    const picture = flat("body", 16, variedSkin({ height: 32 }));
    for (let y = 8; y < 32; y++) {
      for (const x of y < 20 ? [0, 1, 2, 3] : [4, 5, 6, 7]) {
        expect(colourAt(picture, x, y)).toEqual(colourAt(picture, 15 - x, y));
      }
    }
  });
});

describe("the flat head", () => {
  test("shows the hat over the face, blended by its alpha", () => {
    const face = paintSkin(only("first", [200, 100, 0]));
    expect(colourAt(flat("head", 8, face), 3, 3)).toEqual([200, 100, 0, 255]);
    expect(colourAt(flat("head", 8, hat(0)), 3, 3)).toEqual([200, 100, 0, 255]);
    expect(colourAt(flat("head", 8, hat(51)), 3, 3)).toEqual([160, 100, 40, 255]);
    expect(colourAt(flat("head", 8, hat(255)), 3, 3)).toEqual([0, 100, 200, 255]);
  });

  test.each([8, 9, 16, 33, 100, 255, 1024])(
    "shows at %d pixels the texel under each pixel's centre",
    (size) => {
      const picture = flat(
        "head",
        size,
        paintSkin(({ layer, column, row }) => (layer === "first" ? [column, row, 0] : undefined)),
      );
      for (const y of [0, 1, size >> 1, size - 1]) {
        for (let x = 0; x < size; x++) {
          const at = (value: number) => Math.floor(((value + 0.5) * 8) / size);
          expect(colourAt(picture, x, y).slice(0, 2)).toEqual([at(x), at(y)]);
        }
      }
    },
  );

  test.each([2, 3, 4, 16])("shows single texels of a skin of scale %d", (scale) => {
    const sheet = variedSkin({ scale });
    sheet.words[(8 * scale + 1) * sheet.width + 8 * scale + 1] = 0xff010203;
    const hat = (8 * scale + 1) * sheet.width + 40 * scale + 1;
    sheet.words[hat] = 0;
    expect(colourAt(flat("head", 8 * scale, sheet), 1, 1)).toEqual([3, 2, 1, 255]);
  });
});

describe("the flat cape", () => {
  test.each([64, 128, 100, 9, 1024])("is its sheet at a width of %d, by nearest neighbour", (size) => {
    const cape = createCanvas(64, 32);
    cape.words.forEach((_, i) => (cape.words[i] = ((i % 3) * 100 * 2 ** 24 + i) >>> 0));
    const picture = renderPicture({ view: "cape", type: "skin", size, cape });
    expect([picture.width, picture.height]).toEqual([size, Math.ceil(size / 2)]);
    for (let y = 0; y < picture.height; y += 3) {
      for (let x = 0; x < size; x += 3) {
        const [u, v] = [Math.floor(((x + 0.5) * 64) / size), Math.floor(((y + 0.5) * 32) / picture.height)];
        expect(colourAt(picture, x, y)).toEqual(colourAt(cape, u, v));
      }
    }
  });

  test("of an old crop is the full sheet", () => {
    const picture = renderPicture({ view: "cape", type: "skin", size: 64, cape: createCanvas(22, 17) });
    expect([picture.width, picture.height]).toEqual([64, 32]);
  });
});

test.each([1025, 0, -1, 8.5, Number.NaN])("a size of %d is the caller's fault", (size) => {
  expect(() => pictureSize({ view: "head", type: "skin", size })).toThrow(RangeError);
});

test.each([
  { view: "head", type: "player", size: 7 },
  { view: "body", type: "skin", size: 7 },
  { view: "bust", type: "skin", size: 7 },
  { view: "body", type: "isometric", size: 100, height: 2049 },
  { view: "body", type: "isometric", size: 100, height: 7 },
] as const)("only a flat face is as small as it likes, and no picture is too large: $view $type", (kind) => {
  expect(() => pictureSize(kind)).toThrow(RangeError);
});
