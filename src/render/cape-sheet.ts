import { pictureRefusals } from "./refusals.ts";
import { type Bitmap, type Canvas, copyOf, createCanvas, wordsOf } from "./bitmap.ts";
import { findCapeForm } from "./cape-forms.ts";
import { type Rect, scaleRect } from "./parts.ts";

/**
 * Brings a cape texture to the full 64k x 32k sheet: crops of 22k x 17k and 46k x 22k are laid at its upper
 * left, the rest stays transparent. A full sheet is returned as it is. Fails with invalid for every other
 * size.
 */
export function normaliseCape(bitmap: Bitmap): Bitmap {
  const { width, height } = bitmap;
  const form = findCapeForm(bitmap);
  if (form === null) {
    throw pictureRefusals.capeSize(width, height);
  }
  if (form.width === 64) return bitmap;
  const scale = width / form.width;
  const sheet = createCanvas(64 * scale, 32 * scale);
  const words = wordsOf(bitmap);
  for (let y = 0; y < height; y++) {
    sheet.words.set(words.subarray(y * width, (y + 1) * width), y * sheet.width);
  }
  return sheet;
}

/**
 * Where an elytra's wings lie on a sheet that is 64 texels wide: the unfolded box of one, which the other
 * mirrors.
 */
const wingsRegion: Rect = { x: 22, y: 0, width: 24, height: 22 };
/** An alpha below this counts as a hole, as in a hat. */
const holeAlpha = 128;

/**
 * The elytra wings of a full cape sheet by themselves: a sheet of the same size on which all else is
 * transparent. Null when no texel of the wings is opaque: such a cape has no wings of its own.
 */
export function wingsOf(sheet: Bitmap): Bitmap | null {
  const words = wordsOf(sheet);
  const wings = createCanvas(sheet.width, sheet.height);
  const region = scaleRect(wingsRegion, sheet.width / 64);
  for (let y = region.y; y < region.y + region.height; y++) {
    const start = y * sheet.width + region.x;
    wings.words.set(words.subarray(start, start + region.width), start);
  }
  return wings.words.some((word) => word >>> 24 >= holeAlpha) ? wings : null;
}

/** Makes wings ready to draw: on the full sheet, each texel opaque or a hole, as in the game. */
export function prepareWings(bitmap: Bitmap): Canvas {
  const canvas = copyOf(normaliseCape(bitmap));
  for (let i = 3; i < canvas.data.length; i += 4)
    canvas.data[i] = (canvas.data[i] ?? 0) >= holeAlpha ? 255 : 0;
  return canvas;
}

/** Makes a cape ready to draw: on the full sheet and, as in the game, without any transparency. */
export function prepareCape(bitmap: Bitmap): Canvas {
  const canvas = copyOf(normaliseCape(bitmap));
  for (let i = 3; i < canvas.data.length; i += 4) canvas.data[i] = 255;
  return canvas;
}
