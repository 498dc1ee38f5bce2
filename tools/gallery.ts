/*
 * Renders the README's pictures with the program's own engine: `bun tools/gallery.ts`.
 * It also writes the two textures that the README uploads.
 */
import type { Bitmap } from "../src/render/bitmap.ts";
import { encodePng } from "../src/render/png-encode.ts";
import { renderPicture, type SkinTexture } from "../src/render/render.ts";
import { drawKeyCape, drawNightCape } from "./art/capes.ts";
import { drawDiver } from "./art/diver.ts";
import { drawKeeper } from "./art/keeper.ts";
import { drawScout } from "./art/scout.ts";
import { emptySheet } from "./art/sheet.ts";
import { smoothlyDoubled } from "./art/smooth.ts";
import { drawUsher } from "./art/usher.ts";

const docs = `${import.meta.dir}/../docs`;

const usher: SkinTexture = { bitmap: drawUsher(), model: "classic" };
const keeper: SkinTexture = { bitmap: drawKeeper(), model: "slim" };
const scout: SkinTexture = { bitmap: drawScout(), model: "slim" };
const diver: SkinTexture = { bitmap: drawDiver(), model: "classic" };
const keyCape = drawKeyCape();
const nightCape = drawNightCape();

const figure = (skin: SkinTexture) => renderPicture({ view: "body", type: "player", size: 176, skin });
const back = (skin: SkinTexture, cape: Bitmap) =>
  renderPicture({ view: "cape", type: "player", size: 176, skin, cape });
const head = (skin: SkinTexture) => renderPicture({ view: "head", type: "player", size: 144, skin });
const face = (skin: SkinTexture) => renderPicture({ view: "head", type: "skin", size: 96, skin });
const flat = (skin: SkinTexture) => renderPicture({ view: "body", type: "skin", size: 128, skin });

const pictures: Readonly<Record<string, Bitmap>> = {
  "images/gallery.png": row([
    figure(usher),
    figure(keeper),
    figure(scout),
    figure(diver),
    back(keeper, keyCape),
    back(scout, nightCape),
  ]),
  "images/heads.png": row([usher, keeper, scout, diver, hd(keeper)].map(head)),
  "images/faces.png": row([usher, keeper, scout, diver, hd(keeper)].map(face)),
  "images/head-skin.png": face(keeper),
  "images/head-player.png": head(keeper),
  "images/body-skin.png": flat(keeper),
  "images/body-player.png": figure(keeper),
  "images/cape-skin.png": renderPicture({ view: "cape", type: "skin", size: 256, cape: keyCape }),
  "images/cape-player.png": back(keeper, keyCape),
  "examples/scout.png": scout.bitmap,
  "examples/cape.png": nightCape,
};

for (const [name, picture] of Object.entries(pictures)) {
  const bytes = await Bun.write(`${docs}/${name}`, encodePng(picture));
  console.log(`${name}: ${picture.width}x${picture.height}, ${bytes} bytes`);
}

/** The same skin with four times as many pixels in each direction. */
function hd(skin: SkinTexture): SkinTexture {
  return { bitmap: smoothlyDoubled(smoothlyDoubled(skin.bitmap)), model: skin.model };
}

/** Pictures side by side on a transparent sheet, vertically centred. */
function row(parts: readonly Bitmap[], gap = 16): Bitmap {
  const width = parts.reduce((sum, part) => sum + part.width + gap, -gap);
  const height = Math.max(...parts.map((part) => part.height));
  const sheet = emptySheet(width, height);
  let left = 0;
  for (const part of parts) {
    copyInto(sheet, part, left, Math.floor((height - part.height) / 2));
    left += part.width + gap;
  }
  return sheet;
}

function copyInto(sheet: Bitmap, part: Bitmap, left: number, top: number): void {
  const rowBytes = part.width * 4;
  for (let y = 0; y < part.height; y++) {
    const from = part.data.subarray(y * rowBytes, (y + 1) * rowBytes);
    sheet.data.set(from, ((top + y) * sheet.width + left) * 4);
  }
}
