import { describe, expect, test } from "bun:test";
import { type Bitmap, createCanvas } from "../../src/render/bitmap.ts";
import { drawScene } from "../../src/render/draw.ts";
import { renderPicture } from "../../src/render/render.ts";
import { prepareSkin } from "../../src/render/skin-sheet.ts";
import { bodyView, headView, type View } from "../../src/render/views.ts";
import type { Arms } from "./facts.ts";
import { type Colour, colourAt, paintSkin, type SkinOptions, type Texel, variedSkin } from "./paint.ts";

type Paint = (texel: Texel) => Colour | undefined;
const grey: Colour = [90, 90, 90];
const cape = createCanvas(64, 32);

function draw(view: "head" | "body" | "cape", size: number, paint: Paint, options: SkinOptions = {}): Bitmap {
  return drawSkin(view, size, paintSkin(paint, options), options.arms);
}

function drawSkin(
  view: "head" | "body" | "cape",
  size: number,
  bitmap: Bitmap,
  model: Arms = "classic",
): Bitmap {
  const skin = { bitmap, model };
  return view === "cape"
    ? renderPicture({ view, type: "player", size, skin, cape })
    : renderPicture({ view, type: "player", size, skin });
}

/** Any view, for angles that no picture of the service has. */
function drawView(view: View, width: number, paint: Paint): Bitmap {
  const { canvas } = prepareSkin({ bitmap: paintSkin(paint), model: "classic" });
  return drawScene({ view, width, model: "classic", skinScale: 1, capeScale: 1 }, canvas.words);
}

/**
 * The middle of all pixels in which a channel (0 red, 1 green, 2 blue) stands out; undefined when there are
 * none.
 */
function middleOf(picture: Bitmap, channel: number): { x: number; y: number; count: number } | undefined {
  let [x, y, count] = [0, 0, 0];
  for (let i = 0; i < picture.width * picture.height; i++) {
    const pixel = picture.data.subarray(i * 4, i * 4 + 4);
    const rest = Math.max(...pixel.subarray(0, 3).filter((_, c) => c !== channel));
    if (pixel[3] !== 255 || pixel[channel]! < rest + 60) continue;
    x += i % picture.width;
    y += Math.floor(i / picture.width);
    count++;
  }
  return count === 0 ? undefined : { x: x / count, y: y / count, count };
}

/** Paints two texels of a face red and green and the rest of the first layer grey. */
function twoTexels(part: string, face: string, [red, green]: [[number, number], [number, number]]): Paint {
  return (texel) => {
    if (texel.layer === "second") return undefined;
    if (texel.part !== part || texel.face !== face) return grey;
    const isAt = ([column, row]: [number, number]) => texel.column === column && texel.row === row;
    if (isAt(red)) return [250, 0, 0];
    return isAt(green) ? [0, 250, 0] : grey;
  };
}

const everything: Paint = () => [10, 200, 30];
const bare: Paint = ({ layer }) => (layer === "first" ? [10, 200, 30] : undefined);
const redFace: Paint = ({ layer, part, face }) => {
  if (layer === "second") return undefined;
  return part === "head" && face === "front" ? [250, 0, 0] : grey;
};

function opaquePixels(picture: Bitmap): number {
  return picture.data.filter((value, i) => i % 4 === 3 && value === 255).length;
}

function plainCape(alpha: number): Bitmap {
  const canvas = createCanvas(64, 32);
  canvas.words.fill(((alpha << 24) | 0x3060f0) >>> 0);
  return canvas;
}

/** The mean of red over all pixels that are covered wholly. */
function average(picture: Bitmap): number {
  const reds = picture.data.filter((_, i) => i % 4 === 0 && picture.data[i + 3] === 255);
  return reds.reduce((sum, red) => sum + red, 0) / reds.length;
}

const rowsOf = (picture: Bitmap, y: number) =>
  Array.from({ length: picture.width }, (_, x) => colourAt(picture, x, y));

describe("orientation", () => {
  const views = {
    usual: headView,
    fromBelow: { ...headView, yaw: 0, pitch: -50 },
    fromRight: { ...headView, yaw: -60 },
    fromBehind: { ...headView, yaw: 180 },
  };
  test.each([
    ["usual", "front", "column", "left of"],
    ["usual", "front", "row", "above"],
    ["usual", "left", "column", "left of"],
    ["fromRight", "right", "column", "left of"],
    ["fromRight", "right", "row", "above"],
    ["fromBehind", "back", "column", "left of"],
    ["usual", "top", "column", "left of"],
    ["usual", "top", "row", "above"],
    ["fromBelow", "bottom", "column", "left of"],
    ["fromBelow", "bottom", "row", "below"],
  ] as const)("%s, %s: the first %s lies %s the last", (viewName, face, line, relation) => {
    const at = (index: number): [number, number] => (line === "column" ? [index, 4] : [4, index]);
    const picture = drawView(views[viewName], 200, twoTexels("head", face, [at(0), at(7)]));
    const [first, last] = [middleOf(picture, 0)!, middleOf(picture, 1)!];
    expect(Math.min(first.count, last.count)).toBeGreaterThan(20);
    if (relation === "left of") expect(first.x).toBeLessThan(last.x - 5);
    if (relation === "above") expect(first.y).toBeLessThan(last.y - 5);
    if (relation === "below") expect(first.y).toBeGreaterThan(last.y + 5);
  });

  test.each([
    ["Arm", "body"],
    ["Leg", "body"],
    ["Arm", "cape"],
    ["Leg", "cape"],
  ] as const)("the player's right %s is on his right in the %s view", (limb, view) => {
    const picture = draw(view, 128, ({ part, layer }) => {
      if (layer === "second") return undefined;
      return part === `right${limb}` ? [250, 0, 0] : part === `left${limb}` ? [0, 250, 0] : grey;
    });
    const [right, left] = [middleOf(picture, 0)!, middleOf(picture, 1)!];
    if (view === "body") expect(right.x).toBeLessThan(left.x - 10);
    else expect(left.x).toBeLessThan(right.x - 10);
  });

  test.each(["rightArm", "leftArm", "rightLeg", "leftLeg", "torso", "head"])(
    "the second layer of the %s lies on it",
    (part) => {
      const base = middleOf(
        draw("body", 200, (t) => (t.layer === "second" ? undefined : t.part === part ? [250, 0, 0] : grey)),
        0,
      )!;
      const over = middleOf(
        draw("body", 200, (t) => (t.layer === "second" ? (t.part === part ? [250, 0, 0] : undefined) : grey)),
        0,
      )!;
      expect(Math.hypot(base.x - over.x, base.y - over.y)).toBeLessThan(4);
      expect(over.count).toBeGreaterThan(base.count);
    },
  );

  test("the cape shows its outside, unmirrored, below the head and before the back", () => {
    const sheet = createCanvas(64, 32);
    for (let y = 1; y < 17; y++) {
      for (let x = 1; x < 11; x++)
        sheet.data.set(x < 6 ? [250, 0, 0, 255] : [0, 250, 0, 255], (y * 64 + x) * 4);
      for (let x = 12; x < 22; x++) sheet.data.set([0, 0, 250, 255], (y * 64 + x) * 4);
    }
    const skin = {
      bitmap: paintSkin(({ layer }) => (layer === "first" ? grey : undefined)),
      model: "classic",
    } as const;
    const picture = renderPicture({ view: "cape", type: "player", size: 200, skin, cape: sheet });
    const [first, last] = [middleOf(picture, 0)!, middleOf(picture, 1)!];
    expect(first.x).toBeLessThan(last.x - 10);
    expect(first.count + last.count).toBeGreaterThan(200 * 400 * 0.1);
    expect(middleOf(picture, 2)).toBeUndefined();
  });

  test("the cape's lower edge stands off the legs", () => {
    const view: View = {
      ...bodyView,
      name: "side",
      parts: ["torso", "cape"],
      pose: { cape: { pitch: -6, yaw: 180 } },
      yaw: 90,
      pitch: 0,
    };
    const { canvas } = prepareSkin({ bitmap: paintSkin(() => [250, 0, 0]), model: "classic" });
    const texels = new Uint32Array(4096 + 2048).fill(0xff00fa00);
    texels.set(canvas.words);
    const picture = drawScene({ view, width: 200, model: "classic", skinScale: 1, capeScale: 1 }, texels);
    const edges = Array.from({ length: 400 }, (_, y) =>
      rowsOf(picture, y).findLastIndex(([, g, , a]) => a === 255 && g! > 100),
    );
    const shown = edges.filter((x) => x >= 0);
    expect(shown.at(-10)! - shown[10]!).toBeGreaterThan(5);
  });
});

describe("figure and frame", () => {
  const sizes = [8, 9, 16, 33, 64, 100, 101, 256];
  test.each(
    sizes.flatMap((size) => (["head", "body", "cape"] as const).map((view) => [view, size] as const)),
  )("the %s is never cut off at %d pixels, and fills the picture", (view, size) => {
    const picture = draw(view, size, () => [200, 200, 200]);
    const alphaAt = (x: number, y: number) => picture.data[(y * picture.width + x) * 4 + 3]!;
    const { width, height } = picture;
    for (let x = 0; x < width; x++) expect([alphaAt(x, 0), alphaAt(x, height - 1)]).toEqual([0, 0]);
    for (let y = 0; y < height; y++) expect([alphaAt(0, y), alphaAt(width - 1, y)]).toEqual([0, 0]);
    const shown = picture.data.filter((value, i) => i % 4 === 3 && value > 0).length;
    expect(shown / (width * height)).toBeGreaterThan(size < 16 ? 0.2 : 0.35);
  });

  test("the frame does not depend on the skin: the face lies at the same pixels with and without second layer", () => {
    const without = draw("body", 100, redFace);
    const withArms = draw("body", 100, (t) =>
      t.layer === "second" && t.part !== "head" ? [9, 9, 250] : redFace(t),
    );
    const slim = draw("body", 100, redFace, { arms: "slim" });
    expect(middleOf(withArms, 0)!.y).toBeCloseTo(middleOf(without, 0)!.y, 0);
    expect(middleOf(slim, 0)!.x).toBeCloseTo(middleOf(without, 0)!.x, 1);
  });

  test.each(["head", "body"] as const)("the second layer stands out from the %s on every side", (view) => {
    const [clad, naked] = [opaquePixels(draw(view, 200, everything)), opaquePixels(draw(view, 200, bare))];
    expect(clad / naked).toBeGreaterThan(view === "head" ? 1.2 : 1.1);
  });

  test("slim arms are three quarters as wide as classic ones", () => {
    const view: View = { ...bodyView, yaw: 0, pitch: 0, pose: {}, distance: 10_000 };
    const widths = (["classic", "slim"] as const).map((model) => {
      const bitmap = paintSkin(
        ({ part, layer }) => (layer === "first" ? (part === "rightArm" ? [250, 0, 0] : grey) : undefined),
        { arms: model },
      );
      const { canvas } = prepareSkin({ bitmap, model });
      const picture = drawScene({ view, width: 360, model, skinScale: 1, capeScale: 1 }, canvas.words);
      return middleOf(picture, 0)!.count;
    });
    expect(widths[1]! / widths[0]!).toBeCloseTo(0.75, 1);
  });

  test.each([8, 32, 128])("parts meet without gaps or flicker at %d pixels", (size) => {
    const picture = draw("body", size, ({ layer, part }) => {
      if (layer === "first") return grey;
      if (part === "torso") return [250, 0, 0];
      return part.endsWith("Leg") ? [0, 0, 250] : undefined;
    });
    let seams = 0;
    for (let x = 0; x < size; x++) {
      const column = Array.from({ length: size * 2 }, (_, y) => colourAt(picture, x, y));
      const reds = column.flatMap(([r, , b, a], y) => (a === 255 && r! > b! + 60 ? [y] : []));
      const blues = column.flatMap(([r, , b, a], y) => (a === 255 && b! > r! + 60 ? [y] : []));
      if (reds.length === 0 || blues.length === 0) continue;
      expect(Math.max(...reds)).toBeLessThan(Math.min(...blues));
      seams += 1;
    }
    expect(seams).toBeGreaterThan(0);
  });

  test("each arm meets the torso along one line", () => {
    const picture = draw("body", 200, ({ layer, part }) => {
      if (layer === "second") return undefined;
      return part === "torso" ? [0, 250, 0] : part.endsWith("Arm") ? [250, 0, 0] : grey;
    });
    const rows = Array.from({ length: 80 }, (_, row) => {
      const kinds = rowsOf(picture, 120 + row).map(([r, g, , a]) =>
        a !== 255 ? "" : r! > g! + 60 ? "a" : g! > r! + 60 ? "t" : "",
      );
      return kinds.join("").replace(/(.)\1+/g, "$1");
    });
    expect(rows).toContain("ata");
    for (const row of rows) expect(row).toMatch(/^(a?ta?)?$/);
  });
});

describe("edges and colour", () => {
  test.each(["head", "body"] as const)("the silhouette of the %s is smooth: many steps of alpha", (view) => {
    const picture = draw(view, 128, () => [255, 255, 255]);
    const alphas = new Set(picture.data.filter((_, i) => i % 4 === 3));
    expect(alphas.size).toBeGreaterThan(12);
  });

  test("there is no dark halo: a white figure's edge is as bright as its darkest face", () => {
    for (const paint of [
      () => [255, 255, 255] as const,
      ({ layer }: Texel): Colour => [255, 255, 255, layer === "first" ? 0 : 128],
    ]) {
      const picture = draw("body", 100, paint);
      for (let i = 0; i < picture.data.length; i += 4) {
        const [r, g, b, a] = picture.data.subarray(i, i + 4);
        if (a! > 8) expect(Math.min(r!, g!, b!)).toBeGreaterThan(120);
      }
    }
  });

  test("an upright edge is drawn with all its steps, not with a few", () => {
    const picture = draw("body", 512, () => [255, 255, 255]);
    const edge = Array.from(
      { length: 120 },
      (_, i) => rowsOf(picture, 640 + i).find(([, , , a]) => a! > 0)![3]!,
    );
    expect(new Set(edge).size).toBeGreaterThan(8);
  });

  test("light comes from the upper left: top brighter than front, front brighter than the player's left", () => {
    const picture = draw("head", 200, ({ face }) => [
      face === "top" ? 250 : 0,
      face === "front" ? 250 : 0,
      face === "left" ? 250 : 0,
    ]);
    const brightest = [0, 1, 2].map((channel) =>
      Math.max(...picture.data.filter((_, i) => i % 4 === channel && picture.data[i - channel + 3] === 255)),
    );
    expect(brightest[0]).toBe(250);
    expect(brightest[1]).toBeLessThan(brightest[0]!);
    expect(brightest[2]).toBeLessThan(brightest[1]! - 20);
    expect(brightest[2]).toBeGreaterThan(125);
  });

  test.each([
    ["opaque", 255, false],
    ["half transparent", 128, true],
    ["absent", 0, true],
  ] as const)("a %s hat (alpha %d) lets the face through: %p", (_, alpha, through) => {
    const picture = draw("head", 100, ({ layer }) => (layer === "first" ? [250, 0, 0] : [0, 0, 250, alpha]));
    expect(colourAt(picture, 45, 60)[3]).toBe(255);
    expect(colourAt(picture, 45, 60)[0]! > 60).toBe(through);
    expect(colourAt(picture, 45, 60)[2]! > 60).toBe(alpha > 0);
  });

  test("the inner faces of the second layer are seen through its holes", () => {
    const inside = draw("head", 200, ({ layer, face }) => {
      if (layer === "first") return grey;
      return face === "right" || face === "back" ? [250, 0, 0] : undefined;
    });
    expect(middleOf(inside, 0)!.count).toBeGreaterThan(100);
  });

  test("the first layer shows its colour under alpha 0", () => {
    const hidden = draw("body", 64, ({ layer }) => (layer === "first" ? [200, 100, 50, 0] : undefined));
    const plain = draw("body", 64, ({ layer }) => (layer === "first" ? [200, 100, 50] : undefined));
    expect(hidden.data).toEqual(plain.data);
  });

  test("a cape is opaque in the picture, holes and all", () => {
    const skin = {
      bitmap: paintSkin(({ layer }) => (layer === "first" ? grey : undefined)),
      model: "classic",
    } as const;
    const [hole, whole] = [0, 255].map((alpha) =>
      renderPicture({ view: "cape", type: "player", size: 64, skin, cape: plainCape(alpha) }),
    );
    expect(hole!.data).toEqual(whole!.data);
  });
});

describe("texture scale", () => {
  test.each([2, 3, 4, 16])("an HD skin of scale %d that shows the same looks the same", (scale) => {
    const plain = drawSkin("head", 64, variedSkin());
    const fine = drawSkin("head", 64, variedSkin({ scale }));
    const far = plain.data.filter((value, i) => Math.abs(value - fine.data[i]!) > 24);
    expect(far.length / plain.data.length).toBeLessThan(0.01);
  });

  test.each([16, 32])("texels finer than a pixel melt into their mean at %d pixels", (size) => {
    const sheet = paintSkin(({ layer }) => (layer === "first" ? grey : undefined), { scale: 16 });
    sheet.words.forEach((value, i) => {
      if (value !== 0) sheet.words[i] = (i + Math.floor(i / sheet.width)) % 2 ? 0xff000000 : 0xffffffff;
    });
    const even = draw("head", size, ({ layer }) => (layer === "first" ? [128, 128, 128] : undefined));
    const fine = drawSkin("head", size, sheet);
    expect(Math.abs(average(fine) - average(even))).toBeLessThan(6);
    const middle = rowsOf(fine, size >> 1)
      .filter(([, , , a]) => a === 255)
      .map(([r]) => r!);
    expect(Math.min(...middle)).toBeGreaterThan(20);
  });

  test("skin and cape may differ in scale", () => {
    const skin = { bitmap: variedSkin({ scale: 2 }), model: "classic" } as const;
    const capes = [1, 4].map((scale) => {
      const sheet = createCanvas(64 * scale, 32 * scale);
      sheet.words.fill(0xff336699);
      return renderPicture({ view: "cape", type: "player", size: 64, skin, cape: sheet });
    });
    const far = capes[0]!.data.filter((value, i) => Math.abs(value - capes[1]!.data[i]!) > 2);
    expect(far).toHaveLength(0);
  });
});

test("a slim model declared for a legacy skin is drawn as classic", () => {
  const bitmap = variedSkin({ height: 32 });
  expect(drawSkin("body", 64, bitmap, "slim").data).toEqual(drawSkin("body", 64, bitmap, "classic").data);
});
