import { type Canvas, createCanvas } from "../../src/render/bitmap.ts";
import { type Arms, type FaceFact, faceFacts } from "./facts.ts";

export type Colour = readonly [red: number, green: number, blue: number, alpha?: number];
/**
 * A texel of a face; column and row count from the upper left of the face's rectangle, in texels of a 64 wide
 * sheet.
 */
export type Texel = FaceFact & { column: number; row: number };

export function word([red, green, blue, alpha = 255]: Colour): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export function colourAt(picture: { width: number; data: Uint8Array }, x: number, y: number): number[] {
  return [...picture.data.subarray((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 4)];
}

export type SkinOptions = { arms?: Arms; scale?: number; height?: number };

/**
 * Paints a sheet of k texels per unit texel by texel; what `paint` leaves undefined stays transparent black.
 */
export function paintSkin(
  paint: (texel: Texel) => Colour | undefined,
  { arms = "classic", scale = 1, height = 64 }: SkinOptions = {},
): Canvas {
  const sheet = createCanvas(64 * scale, height * scale);
  for (const fact of faceFacts(arms)) {
    const [left, top, width, faceHeight] = fact.rect;
    if (top >= height) continue;
    for (let y = 0; y < faceHeight * scale; y++) {
      for (let x = 0; x < width * scale; x++) {
        const colour = paint({ ...fact, column: Math.floor(x / scale), row: Math.floor(y / scale) });
        if (colour) sheet.words[(top * scale + y) * sheet.width + left * scale + x] = word(colour);
      }
    }
  }
  return sheet;
}

/**
 * A skin on which every texel of the first layer differs, and some of the second layer are opaque, half
 * transparent and absent.
 */
export function variedSkin(options?: SkinOptions): Canvas {
  return paintSkin(({ layer, rect: [x, y], column, row }) => {
    const [u, v] = [x + column, y + row];
    const colour = [60 + ((u * 37) % 180), 60 + ((v * 53) % 180), 60 + ((u * 11 + v * 29) % 180)] as const;
    if (layer === "first") return colour;
    if ((u + v) % 3 === 0) return undefined;
    return [...colour, (u + v) % 3 === 1 ? 255 : 128];
  }, options);
}

/** Fills a rectangle of a sheet. */
export function fill(sheet: Canvas, [x, y, width, height]: readonly number[], colour: Colour): void {
  for (let row = y!; row < y! + height!; row++) {
    sheet.words.fill(word(colour), row * sheet.width + x!, row * sheet.width + x! + width!);
  }
}
