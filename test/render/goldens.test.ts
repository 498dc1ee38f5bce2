/**
 * Pictures of a generated skin, compared pixel by pixel with those kept under goldens/. After a wanted change
 * they are written again with UPDATE_GOLDENS=1; look at them before they are committed.
 */
import { expect, test } from "bun:test";
import { createCanvas } from "../../src/render/bitmap.ts";
import { wingsOf } from "../../src/render/cape-sheet.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { type PictureRequest, renderPicture, renderPng, type SkinTexture } from "../../src/render/render.ts";
import type { FaceName } from "./facts.ts";
import { type Colour, paintSkin, type SkinOptions } from "./paint.ts";

/**
 * A colour for each part and a tone for each face; the texel nearest to the upper left of each face is white.
 */
const partColours: Readonly<Record<string, Colour>> = {
  head: [230, 180, 140],
  torso: [60, 140, 200],
  rightArm: [200, 70, 60],
  leftArm: [70, 170, 80],
  rightLeg: [150, 80, 170],
  leftLeg: [210, 160, 50],
};
const tones: Readonly<Record<FaceName, number>> = {
  top: 1,
  bottom: 0.5,
  right: 0.85,
  front: 0.95,
  left: 0.75,
  back: 0.6,
};

function labelled(options: SkinOptions = {}) {
  return paintSkin(({ part, layer, face, column, row }) => {
    if (layer === "second" && (column + row) % 3 > 0) return undefined;
    if (column === 0 && row === 0) return [255, 255, 255];
    const tone = tones[face] * ((column + row) % 2 ? 1 : 0.88);
    const [r, g, b] = partColours[part]!;
    return layer === "first"
      ? [r * tone, g * tone, b * tone]
      : [b * tone, r * tone, g * tone, row % 2 ? 255 : 150];
  }, options);
}

function skin(options: SkinOptions = {}): SkinTexture {
  return { bitmap: labelled(options), model: options.arms ?? "classic" };
}
const cape = createCanvas(64, 32);
cape.words.forEach((_, i) => cape.data.set([(i % 64) * 20, Math.floor(i / 64) * 14, 90, 255], i * 4));
/** The same with a hole in one of the wings' lower corners. */
const wings = wingsOf(cape)!;
for (const y of [18, 19, 20, 21]) wings.data.fill(0, (y * 64 + 36) * 4, (y * 64 + 36 + (y - 17) * 2) * 4);

const pictures: Readonly<Record<string, PictureRequest>> = {
  "head-player": { view: "head", type: "player", size: 64, skin: skin() },
  "head-player-small": { view: "head", type: "player", size: 16, skin: skin() },
  "head-player-hd": { view: "head", type: "player", size: 64, skin: skin({ scale: 4 }) },
  "head-skin": { view: "head", type: "skin", size: 20, skin: skin() },
  "body-player": { view: "body", type: "player", size: 48, skin: skin() },
  "body-player-slim": { view: "body", type: "player", size: 48, skin: skin({ arms: "slim" }) },
  "body-player-legacy": { view: "body", type: "player", size: 48, skin: skin({ height: 32 }) },
  "body-skin": { view: "body", type: "skin", size: 24, skin: skin() },
  "cape-player": { view: "cape", type: "player", size: 48, skin: skin(), cape },
  "elytra-player": { view: "elytra", type: "player", size: 48, skin: skin(), cape: wings },
  "elytra-player-slim": {
    view: "elytra",
    type: "player",
    size: 48,
    skin: skin({ arms: "slim", scale: 2 }),
    cape: wings,
  },
  "isometric-head": { view: "head", type: "isometric", size: 60, height: 55, skin: skin() },
  "isometric-head-first-left": {
    view: "head",
    type: "isometric",
    size: 60,
    layers: "first",
    side: "left",
    skin: skin(),
  },
  "isometric-body": { view: "body", type: "isometric", size: 40, height: 90, skin: skin() },
  "isometric-body-slim-first": {
    view: "body",
    type: "isometric",
    size: 40,
    layers: "first",
    skin: skin({ arms: "slim" }),
  },
  "isometric-body-hd-left": {
    view: "body",
    type: "isometric",
    size: 40,
    side: "left",
    skin: skin({ scale: 4 }),
  },
  "bust-skin": { view: "bust", type: "skin", size: 32, skin: skin({ arms: "slim" }) },
  "combo-skin": { view: "combo", type: "skin", size: 65, skin: skin() },
  "cape-skin": { view: "cape", type: "skin", size: 100, cape },
};

test.each(Object.entries(pictures))("%s looks as it did", async (name, request) => {
  const path = `${import.meta.dir}/goldens/${name}.png`;
  if (process.env["UPDATE_GOLDENS"]) await Bun.write(path, renderPng(request));
  const golden = decodeStoredPng(await Bun.file(path).bytes());
  const picture = renderPicture(request);
  expect([picture.width, picture.height]).toEqual([golden.width, golden.height]);
  // Sines differ in their last bit from machine to machine, which can move a sample of an edge.
  const different = picture.data.filter((value, i) => Math.abs(value - golden.data[i]!) > 2);
  expect(different.length / picture.data.length).toBeLessThan(0.002);
});
