import { type Bitmap, type Canvas, createCanvas, wordsOf } from "./bitmap.ts";
import {
  faceRects,
  type Model,
  type Part,
  type PartName,
  playerParts,
  type Rect,
  scaleRect,
} from "./parts.ts";
import type { SkinSheet } from "./skin-sheet.ts";

/** Pictures without depth: front faces side by side, one texel a square of pixels. */

/** Where a part's front stands in a flat picture, in model units from the upper left. */
type Place = { readonly part: PartName; readonly x: number; readonly y: number };
type FlatView = {
  readonly width: number;
  readonly height: number;
  places: (model: Model) => readonly Place[];
};

/** The face alone. */
export const flatHead: FlatView = { width: 8, height: 8, places: () => [{ part: "head", x: 0, y: 0 }] };

/**
 * The whole front, 16 x 32 units. The player's right is on image-left. Slim arms leave a column free on each
 * side.
 */
export const flatBody: FlatView = {
  width: 16,
  height: 32,
  places: (model) => [
    { part: "head", x: 4, y: 0 },
    { part: "torso", x: 4, y: 8 },
    { part: "rightArm", x: model === "slim" ? 1 : 0, y: 8 },
    { part: "leftArm", x: 12, y: 8 },
    { part: "rightLeg", x: 4, y: 20 },
    { part: "leftLeg", x: 8, y: 20 },
  ],
};

/** The upper half of the front: what a square shows of it. */
export const flatBust: FlatView = { ...flatBody, height: 16 };

/** Draws the front, in both layers or in the first alone, at one pixel per texel. */
export function drawFlat(
  { canvas: sheet, model, scale }: SkinSheet,
  view: FlatView,
  layers: "both" | "first" = "both",
): Canvas {
  const picture = createCanvas(view.width * scale, view.height * scale);
  const parts = new Map<PartName, Part>(playerParts(model).map((part) => [part.name, part]));
  for (const { part: name, x, y } of view.places(model)) {
    const part = parts.get(name);
    // What the picture has no room for is cut off.
    const room = (view.height - y) * scale;
    if (!part || room <= 0) continue;
    for (const layer of layers === "first" ? (["first"] as const) : (["first", "second"] as const)) {
      const from = scaleRect(faceRects(part, layer).front, scale);
      const height = Math.min(from.height, room);
      layOver(picture, { x: x * scale, y: y * scale }, sheet, { ...from, height });
    }
  }
  return picture;
}

/** Scales by nearest neighbour: each pixel shows the texel under its centre. */
export function scaleNearest(source: Bitmap, width: number, height: number): Canvas {
  const from = wordsOf(source);
  const scaled = createCanvas(width, height);
  const columns = Uint32Array.from({ length: width }, (_, x) =>
    Math.floor(((x + 0.5) * source.width) / width),
  );
  let lastRow = -1;
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * source.height) / height);
    const at = y * width;
    if (row === lastRow) {
      scaled.words.copyWithin(at, at - width, at);
      continue;
    }
    for (let x = 0; x < width; x++) scaled.words[at + x] = from[row * source.width + (columns[x] ?? 0)] ?? 0;
    lastRow = row;
  }
  return scaled;
}

/**
 * Face and front side by side in a square: the face in the middle of the left half, the whole front in the
 * right half.
 */
export function drawCombo(sheet: SkinSheet, size: number, layers: "both" | "first"): Canvas {
  const picture = createCanvas(size, size);
  const half = Math.floor(size / 2);
  const face = scaleNearest(drawFlat(sheet, flatHead, layers), half, half);
  const front = scaleNearest(drawFlat(sheet, flatBody, layers), half, size);
  const top = Math.floor((size - half) / 2);
  for (let y = 0; y < half; y++) {
    picture.words.set(face.words.subarray(y * half, (y + 1) * half), (top + y) * size);
  }
  for (let y = 0; y < size; y++) {
    picture.words.set(front.words.subarray(y * half, (y + 1) * half), y * size + size - half);
  }
  return picture;
}

/** Lays a rectangle of a sheet over a picture's pixels, which count as opaque. */
export function layOver(picture: Canvas, at: { x: number; y: number }, sheet: Canvas, from: Rect): void {
  for (let y = 0; y < from.height; y++) {
    const source = (from.y + y) * sheet.width + from.x;
    const target = (at.y + y) * picture.width + at.x;
    for (let x = 0; x < from.width; x++) {
      picture.words[target + x] = over(sheet.words[source + x] ?? 0, picture.words[target + x] ?? 0);
    }
  }
}

/**
 * A colour laid over an opaque one, which the first layer always is. An opaque or empty one needs no
 * arithmetic.
 */
function over(top: number, bottom: number): number {
  const alpha = top >>> 24;
  if (alpha === 255) return top;
  if (alpha === 0) return bottom;
  const channel = (shift: number) => {
    const mixed = ((top >>> shift) & 255) * alpha + ((bottom >>> shift) & 255) * (255 - alpha);
    return Math.round(mixed / 255) << shift;
  };
  return (0xff000000 | channel(0) | channel(8) | channel(16)) >>> 0;
}
