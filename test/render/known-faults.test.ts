/** Faults that other renderers of this format had or have; each is kept out by a picture. */
import { describe, expect, test } from "bun:test";
import { type Bitmap, createCanvas } from "../../src/render/bitmap.ts";
import { drawScene } from "../../src/render/draw.ts";
import { renderPicture } from "../../src/render/render.ts";
import { prepareSkin } from "../../src/render/skin-sheet.ts";
import { bodyView } from "../../src/render/views.ts";
import { type Arms, faceFacts, rectOf } from "./facts.ts";
import { colourAt, fill, paintSkin, word } from "./paint.ts";

const from = (yaw: number, pitch: number) => ({ ...bodyView, yaw, pitch, pose: {} });
/** Angles from which every face of every box is seen by at least one. */
const angles = [from(40, 35), from(220, 35), from(40, -35), from(220, -35), from(-40, 0), from(140, 0)];

function pictures(bitmap: Bitmap, model: Arms): Bitmap[] {
  const { canvas } = prepareSkin({ bitmap, model });
  return angles.map((view) =>
    drawScene({ view, width: 64, model, skinScale: 1, capeScale: 1 }, canvas.words),
  );
}

function shows(picture: Bitmap, isColour: (red: number, green: number, blue: number) => boolean): boolean {
  for (let i = 0; i < picture.data.length; i += 4) {
    const [r, g, b, a] = picture.data.subarray(i, i + 4);
    if (a! > 100 && isColour(r!, g!, b!)) return true;
  }
  return false;
}
const isRed = (r: number, g: number, b: number) => r > 40 && g < r / 3 && b < r / 3;

describe.each(["classic", "slim"] as const)(
  "a %s skin shows nothing that lies outside of its faces",
  (arms) => {
    const sheet = createCanvas(64, 64);
    sheet.words.fill(word([255, 0, 0]));
    for (const { rect, layer } of faceFacts(arms))
      fill(sheet, rect, layer === "first" ? [90, 90, 90] : [90, 90, 90, 254]);

    test("so no rectangle is misplaced by a texel or read from another row", () => {
      for (const picture of pictures(sheet, arms)) expect(shows(picture, isRed)).toBe(false);
    });

    const outer = faceFacts(arms).filter(
      ({ layer, part, face }) => layer === "second" && !(part === "torso" && face === "bottom"),
    );
    test.each(outer)("and shows the second layer's $part $face", ({ rect }) => {
      const bare = paintSkin(({ layer }) => (layer === "first" ? [90, 90, 90] : undefined), { arms });
      fill(bare, rect, [255, 0, 0]);
      expect(pictures(bare, arms).some((picture) => shows(picture, isRed))).toBe(true);
    });
  },
);

test("arms with differing art keep their own sleeves, flat and in three dimensions", () => {
  const bitmap = paintSkin(({ part, layer, row }) => {
    if (part !== "rightArm") return layer === "first" ? [90, 90, 90] : undefined;
    return layer === "first" ? [255, 0, 0] : row < 6 ? [0, 0, 255] : undefined;
  });
  const skin = { bitmap, model: "classic" } as const;
  for (const type of ["skin", "player"] as const) {
    const picture = renderPicture({ view: "body", type, size: 100, skin });
    const right = (y: number) => colourAt(picture, 12, y);
    expect(right(66)[2]).toBeGreaterThan(right(66)[0]! + 100);
    expect(right(105)[0]).toBeGreaterThan(right(105)[2]! + 100);
    for (let y = 50; y < 130; y++)
      expect(isRed(...(colourAt(picture, 86, y).slice(0, 3) as [number, number, number]))).toBe(false);
  }
});

test("a limb of a legacy skin is mirrored face by face: outer sides stay outside", () => {
  const bitmap = createCanvas(64, 32);
  fill(bitmap, [0, 0, 64, 32], [90, 90, 90]);
  fill(bitmap, rectOf("classic", "rightArm", "first", "right"), [255, 0, 0]);
  const { canvas } = prepareSkin({ bitmap, model: "classic" });
  const [outerX, outerY] = rectOf("classic", "leftArm", "first", "left");
  const [innerX, innerY] = rectOf("classic", "leftArm", "first", "right");
  expect(canvas.words[outerY * 64 + outerX]).toBe(word([255, 0, 0]));
  expect(canvas.words[innerY * 64 + innerX]).toBe(word([90, 90, 90]));
});

test("flat pictures, too, show the colour under alpha 0 of the first layer", () => {
  const bitmap = paintSkin(({ layer }) => (layer === "first" ? [200, 100, 50, 0] : undefined));
  const picture = renderPicture({ view: "body", type: "skin", size: 16, skin: { bitmap, model: "classic" } });
  expect(colourAt(picture, 8, 16)).toEqual([200, 100, 50, 255]);
});

test("the hat stands off the head by its full half unit", () => {
  const view = { ...bodyView, parts: ["head"] as const, yaw: 0, pitch: 0, distance: 10_000 };
  const area = (paint: "head" | "hat") => {
    const sheet = paintSkin(({ layer }) =>
      (layer === "second") === (paint === "hat") ? [255, 0, 0] : [1, 1, 1, layer === "second" ? 0 : 255],
    );
    const { canvas } = prepareSkin({ bitmap: sheet, model: "classic" });
    const key = { view, width: 400, model: "classic", skinScale: 1, capeScale: 1 } as const;
    const picture = drawScene(key, canvas.words);
    return picture.data.filter((value, i) => i % 4 === 0 && value > 100).length;
  };
  expect(area("hat") / area("head")).toBeCloseTo((9 / 8) ** 2, 1);
});
