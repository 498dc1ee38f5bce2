/**
 * Flat halves and pairs, views without the second layer, isometric views, and the elytra: pixels of hand-made
 * skins.
 */
import { describe, expect, test } from "bun:test";
import { createCanvas, type Bitmap } from "../../src/render/bitmap.ts";
import { type PictureRequest, renderPicture, type SkinTexture } from "../../src/render/render.ts";
import { colourAt, type Colour, fill, paintSkin, type SkinOptions, word } from "./paint.ts";

/** Every part has a colour of its own; what is worn over it is darker. */
const colours: Readonly<Record<string, Colour>> = {
  head: [250, 10, 10],
  torso: [10, 250, 10],
  rightArm: [10, 10, 250],
  leftArm: [250, 250, 10],
  rightLeg: [250, 10, 250],
  leftLeg: [10, 250, 250],
};

function skin({ overlay = true, ...options }: SkinOptions & { overlay?: boolean } = {}): SkinTexture {
  const bitmap = paintSkin(({ part, layer }) => {
    const [r, g, b] = colours[part]!;
    if (layer === "first") return [r, g, b];
    return overlay ? [r >> 1, g >> 1, b >> 1] : undefined;
  }, options);
  return { bitmap, model: options.arms ?? "classic" };
}

const rgb = (picture: Bitmap, x: number, y: number) => colourAt(picture, x, y).slice(0, 3);
const dark = ([r, g, b]: Colour) => [r >> 1, g >> 1, b >> 1];
const bright = ([r, g, b]: Colour) => [r, g, b];

/** Which of the three channels are lit. */
const hue = (picture: Bitmap, x: number, y: number) => rgb(picture, x, y).map((value) => value > 60);

describe("flat", () => {
  test.each<readonly [string, PictureRequest]>([
    ["face", { view: "head", type: "skin", size: 8, skin: skin() }],
    ["bust", { view: "bust", type: "skin", size: 16, skin: skin() }],
    ["front", { view: "body", type: "skin", size: 16, skin: skin() }],
    ["pair", { view: "combo", type: "skin", size: 64, skin: skin() }],
  ])("a %s shows what is worn, unless it is left out", (_, request) => {
    const [both, first] = [renderPicture(request), renderPicture({ ...request, layers: "first" })];
    expect([first.width, first.height]).toEqual([both.width, both.height]);
    for (let i = 0; i < both.data.length; i += 4) {
      const [over, under] = [both.data.subarray(i, i + 3), first.data.subarray(i, i + 3)];
      expect([...over]).toEqual([...under].map((value) => value >> 1));
      expect(both.data[i + 3]).toBe(first.data[i + 3]);
    }
  });

  test("one pixel is a face, too", () => {
    const picture = renderPicture({ view: "head", type: "skin", size: 1, skin: skin() });
    expect([picture.width, picture.height, ...rgb(picture, 0, 0)]).toEqual([1, 1, ...dark(colours["head"]!)]);
  });

  test.each([
    ["classic", 0, "rightArm"],
    ["slim", 1, "rightArm"],
    ["slim", 0, null],
    ["slim", 15, null],
    ["slim", 14, "leftArm"],
  ] as const)("the arms of a %s bust: column %d shows %p", (arms, x, part) => {
    const picture = renderPicture({
      view: "bust",
      type: "skin",
      size: 16,
      layers: "first",
      skin: skin({ arms }),
    });
    if (part === null) expect(colourAt(picture, x, 12)[3]).toBe(0);
    else expect(rgb(picture, x, 12)).toEqual(bright(colours[part]!));
  });

  test("a bust is the upper half of the front", () => {
    for (const options of [{}, { scale: 2 }, { arms: "slim" }, { height: 32 }] as const) {
      const bust = renderPicture({ view: "bust", type: "skin", size: 64, skin: skin(options) });
      const body = renderPicture({ view: "body", type: "skin", size: 64, skin: skin(options) });
      expect([bust.width, bust.height]).toEqual([64, 64]);
      expect(bust.data).toEqual(body.data.subarray(0, bust.data.length));
    }
  });

  test.each([64, 65])("a pair of %d pixels has the face on the left and the figure on the right", (size) => {
    const picture = renderPicture({ view: "combo", type: "skin", size, layers: "first", skin: skin() });
    expect([picture.width, picture.height]).toEqual([size, size]);
    expect(rgb(picture, 16, (size / 2) | 0)).toEqual(bright(colours["head"]!));
    expect(colourAt(picture, 16, 8)[3]).toBe(0);
    expect(colourAt(picture, 16, size - 8)[3]).toBe(0);
    expect(rgb(picture, size - 16, 4)).toEqual(bright(colours["head"]!));
    expect(rgb(picture, size - 16, 24)).toEqual(bright(colours["torso"]!));
    expect(rgb(picture, size - 30, 20)).toEqual(bright(colours["rightArm"]!));
    expect(rgb(picture, size - 3, 20)).toEqual(bright(colours["leftArm"]!));
    expect(rgb(picture, size - 12, size - 3)).toEqual(bright(colours["leftLeg"]!));
  });

  test("a sheet that is opaque everywhere has no second layer to leave out", () => {
    const { bitmap, model } = skin();
    const words = new Uint32Array(bitmap.data.slice().buffer);
    words.forEach((pixel, i) => (words[i] = (pixel | 0xff000000) >>> 0));
    const flattened = { bitmap: { ...bitmap, data: new Uint8Array(words.buffer) }, model };
    for (const view of ["bust", "combo"] as const) {
      const both = renderPicture({ view, type: "skin", size: 64, skin: flattened });
      expect(both.data).toEqual(
        renderPicture({ view, type: "skin", size: 64, layers: "first", skin: flattened }).data,
      );
    }
  });
});

describe("isometric", () => {
  /** A head on which every face has a colour. */
  const faces: Readonly<Record<string, Colour>> = {
    top: [250, 0, 0],
    front: [0, 250, 0],
    right: [0, 0, 250],
    left: [250, 250, 0],
  };
  const cube: SkinTexture = {
    bitmap: paintSkin(({ layer, face }) => (layer === "first" ? (faces[face] ?? [9, 9, 9]) : undefined)),
    model: "classic",
  };
  const hueOf = (face: string) => bright(faces[face]!).map((value) => value > 60);

  test.each([
    ["right", {}, "right", "front"],
    ["left", { side: "left" }, "front", "left"],
  ] as const)("from the %s: top above, the face on the nearer half", (_, options, left, right) => {
    const picture = renderPicture({ view: "head", type: "isometric", size: 100, ...options, skin: cube });
    expect([picture.width, picture.height]).toEqual([100, 100]);
    expect(hue(picture, 50, 25)).toEqual(hueOf("top"));
    expect(hue(picture, 35, 65)).toEqual(hueOf(left));
    expect(hue(picture, 65, 65)).toEqual(hueOf(right));
  });

  test("has no perspective: both halves are mirror images of each other", () => {
    const plain = paintSkin(({ layer }) => (layer === "first" ? [200, 200, 200] : undefined));
    const picture = renderPicture({
      view: "head",
      type: "isometric",
      size: 120,
      height: 111,
      skin: { bitmap: plain, model: "classic" },
    });
    const alphaOf = (x: number, y: number) => colourAt(picture, x, y)[3]!;
    for (let y = 0; y < picture.height; y += 3) {
      for (let x = 0; x < 60; x++) expect(Math.abs(alphaOf(x, y) - alphaOf(119 - x, y))).toBeLessThan(40);
    }
  });

  test.each([
    [20, 18],
    [20, 45],
    [120, 111],
    [120, 270],
    [200, 185],
    [200, 451],
    [180, 180],
  ])("is fitted into %d x %d, with a free margin all around", (size, height) => {
    for (const view of ["head", "body"] as const) {
      const picture = renderPicture({ view, type: "isometric", size, height, skin: skin() });
      expect([picture.width, picture.height]).toEqual([size, height]);
      const isFree = (x: number, y: number) => colourAt(picture, x, y)[3] === 0;
      for (let x = 0; x < size; x++) expect([isFree(x, 0), isFree(x, height - 1)]).toEqual([true, true]);
      for (let y = 0; y < height; y++) expect([isFree(0, y), isFree(size - 1, y)]).toEqual([true, true]);
      expect(colourAt(picture, size / 2, Math.floor(height / 2))[3]).toBe(255);
    }
  });

  test("stands where it stood when the second layer is left out", () => {
    const request = { view: "head", type: "isometric", size: 100, skin: skin({ overlay: false }) } as const;
    expect(renderPicture({ ...request, layers: "first" }).data).toEqual(renderPicture(request).data);
    const both = renderPicture({ ...request, skin: skin() });
    expect(both.data).not.toEqual(renderPicture({ ...request, layers: "first", skin: skin() }).data);
  });
});

describe("an elytra", () => {
  /**
   * One colour for the upper left quarter of the outside, another one for the rest; all else is transparent.
   */
  const wings = createCanvas(64, 32);
  fill(wings, [22, 0, 24, 22], [250, 10, 10]);
  fill(wings, [36, 2, 5, 10], [10, 10, 250]);
  const elytra = { view: "elytra", type: "player", size: 200 } as const;
  const body = skin();

  test("hangs down the back, and one wing mirrors the other", () => {
    const picture = renderPicture({ ...elytra, skin: body, cape: wings });
    expect([picture.width, picture.height]).toEqual([200, 400]);
    const isBlue = (x: number, y: number) => {
      const [r, , b, a] = colourAt(picture, x, y);
      return a === 255 && b! > 80 && r! < 60;
    };
    const row = Array.from({ length: 200 }, (_, x) => (isBlue(x, 200) ? "#" : ".")).join("");
    // The outer part of both wings is blue, and the middle, where they meet, is not.
    expect(row).toMatch(/^\.+#{30,}\.{5,}#{30,}\.+/);
  });

  test("what is a hole in it shows the player", () => {
    const clear = createCanvas(64, 32);
    const bare = renderPicture({ ...elytra, skin: body, cape: clear });
    const words = new Set(new Uint32Array(bare.data.buffer));
    expect(words.has(word([250, 10, 10]))).toBe(false);
    fill(clear, [36, 2, 10, 20], [1, 2, 3, 100]);
    expect(renderPicture({ ...elytra, skin: body, cape: clear }).data).toEqual(bare.data);
    fill(clear, [36, 2, 10, 20], [1, 2, 3, 200]);
    expect(renderPicture({ ...elytra, skin: body, cape: clear }).data).not.toEqual(bare.data);
  });

  test("is the same at any scale of its file", () => {
    const fine = createCanvas(128, 64);
    fill(fine, [44, 0, 48, 44], [250, 10, 10]);
    fill(fine, [72, 4, 10, 20], [10, 10, 250]);
    const [one, two] = [wings, fine].map((cape) => renderPicture({ ...elytra, skin: body, cape }).data);
    // Rounding may move a sample of an edge.
    expect(two!.filter((value, i) => Math.abs(value - one![i]!) > 8).length).toBeLessThan(100);
  });
});
