import { pictureRefusals } from "./refusals.ts";
import { type Bitmap, type Canvas, copyOf, createCanvas, isOpaque, signedWords, wordsOf } from "./bitmap.ts";
import { type Face, faceRects, faces, type Model, playerParts, type Rect, scaleRect } from "./parts.ts";

/** A skin texture and the arms that it was drawn for. */
export type SkinTexture = {
  readonly bitmap: Bitmap;
  readonly model: Model;
  /**
   * Set when the bitmap was read for one picture alone: the same pixels, which may be changed, and whether
   * the whole sheet is opaque everywhere. A picture of the head may have its rows alone (see `headRows`).
   */
  readonly read?: { readonly canvas: Canvas; readonly isOpaque: boolean };
};

/**
 * A skin made ready to draw: a 64k x 64k sheet whose alpha is what shall be seen, or its upper quarter with
 * the head.
 */
export type SkinSheet = {
  readonly canvas: Canvas;
  readonly model: Model;
  /** k: texels per model unit. */
  readonly scale: number;
};

const opaque = 0xff000000;
/** The upper share of a square sheet in which both layers of the head lie. */
export const headShare = 1 / 4;
/** The regions that the game forces to be opaque; every face of the first layer lies inside them. */
const firstLayerRegions: readonly Rect[] = [
  { x: 0, y: 0, width: 32, height: 16 },
  { x: 0, y: 16, width: 64, height: 16 },
  { x: 16, y: 48, width: 32, height: 16 },
];
/**
 * Where a legacy sheet is looked at to learn whether its hat is meant (it includes torso and arm, as in the
 * game).
 */
const legacyHatRegion: Rect = { x: 32, y: 0, width: 32, height: 32 };
const hatRegion: Rect = { x: 32, y: 0, width: 32, height: 16 };
/** An alpha below this counts as a hole when a legacy hat is judged. */
const holeAlpha = 128;

/** Where the flipped copy of a right limb's face goes on the left limb: the side faces change places. */
const mirroredFace: Readonly<Record<Face, Face>> = {
  top: "top",
  bottom: "bottom",
  front: "front",
  back: "back",
  right: "left",
  left: "right",
};

/**
 * How many rows of a texture a picture of the head needs. Of a 64x32 sheet all say whether the hat is meant.
 */
export function headRows({ width, height }: Pick<Bitmap, "width" | "height">): number {
  return width === height && width % 64 === 0 ? width * headShare : height;
}

/**
 * Makes a skin ready to draw by the game's rules. A 64x32 sheet becomes 64x64, its left limbs mirrored from
 * the right ones, and it is always classic; its hat is dropped when nothing in its region is see-through. The
 * first layer is opaque and shows the colour under alpha 0. A 64x64 sheet that is opaque everywhere is a
 * flattened export, so its second layer is dropped. All of it at any scale. The bitmap itself is not changed,
 * except where it was read for one picture. Fails with invalid when the size is not 64k x 64k or 64k x 32k.
 */
export function prepareSkin({ bitmap, model, read }: SkinTexture): SkinSheet {
  const { width, height } = bitmap;
  const scale = width / 64;
  const isSquare = height === width || (read !== undefined && height === width * headShare);
  if (scale < 1 || !Number.isInteger(scale) || (!isSquare && height * 2 !== width)) {
    throw pictureRefusals.skinSheetSize(width, height);
  }
  if (!isSquare) return { canvas: prepareLegacy(bitmap, scale), model: "classic", scale };

  const canvas = read?.canvas ?? copyOf(bitmap);
  if (read?.isOpaque ?? isFlattened(bitmap)) clearSecondLayer(canvas, model, scale);
  forceFirstLayer(canvas, scale);
  return { canvas, model, scale };
}

function prepareLegacy(bitmap: Bitmap, scale: number): Canvas {
  const canvas = createCanvas(bitmap.width, bitmap.width);
  canvas.words.set(wordsOf(bitmap));
  const hat = { canvas, rect: scaleRect(legacyHatRegion, scale) };
  if (!someWord(hat, (word) => word >>> 24 < holeAlpha)) {
    clear(canvas, scaleRect(hatRegion, scale));
  }
  mirrorLimbs(canvas, scale);
  forceFirstLayer(canvas, scale);
  return canvas;
}

function mirrorLimbs(canvas: Canvas, scale: number): void {
  const parts = new Map(playerParts("classic").map((part) => [part.name, part]));
  for (const [source, target] of [["rightLeg", "leftLeg"] as const, ["rightArm", "leftArm"] as const]) {
    const [from, to] = [parts.get(source), parts.get(target)];
    if (!from || !to) continue;
    const fromRects = faceRects(from, "first");
    const toRects = faceRects(to, "first");
    for (const face of faces) {
      copyFlipped(canvas, scaleRect(fromRects[face], scale), scaleRect(toRects[mirroredFace[face]], scale));
    }
  }
}

function copyFlipped({ words, width }: Canvas, from: Rect, to: Rect): void {
  for (let y = 0; y < from.height; y++) {
    const source = (from.y + y) * width + from.x;
    const target = (to.y + y) * width + to.x + to.width - 1;
    for (let x = 0; x < from.width; x++) words[target - x] = words[source + x] ?? 0;
  }
}

function clearSecondLayer(canvas: Canvas, model: Model, scale: number): void {
  for (const part of playerParts(model)) {
    for (const rect of Object.values(faceRects(part, "second"))) {
      clear(canvas, scaleRect(rect, scale));
    }
  }
}

function clear({ words, width, height }: Canvas, rect: Rect): void {
  const bottom = Math.min(rect.y + rect.height, height);
  for (let y = rect.y; y < bottom; y++) words.fill(0, y * width + rect.x, y * width + rect.x + rect.width);
}

function forceFirstLayer(canvas: Canvas, scale: number): void {
  const { width, height } = canvas;
  const words = signedWords(canvas.words);
  for (const region of firstLayerRegions) {
    const rect = scaleRect(region, scale);
    const bottom = Math.min(rect.y + rect.height, height);
    for (let y = rect.y; y < bottom; y++) {
      const end = y * width + rect.x + rect.width;
      for (let i = end - rect.width; i < end; i++) words[i] = (words[i] ?? 0) | opaque;
    }
  }
}

type Region = { readonly canvas: Canvas; readonly rect: Rect };

function someWord({ canvas, rect }: Region, test: (word: number) => boolean): boolean {
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    const row = y * canvas.width + rect.x;
    if (canvas.words.subarray(row, row + rect.width).some(test)) return true;
  }
  return false;
}

/**
 * Whether a 64x64 sheet is opaque everywhere: exports that merge the layers leave such sheets, at any scale.
 */
export function isFlattened(bitmap: Bitmap): boolean {
  return isOpaque(wordsOf(bitmap));
}
