/* Makes an HD sheet from a drawing, for pictures that show the gain of HD skins. */
import type { Bitmap } from "../../src/render/bitmap.ts";

/**
 * Doubles a picture and rounds its stairs by the rule EPX, also called Scale2x: a quarter of a pixel takes
 * the colour of the two neighbours that it touches where these are equal and the other two are not. Pixels
 * beside a transparent one stay square, so that one face of a skin does not grow into the next.
 */
export function smoothlyDoubled(picture: Bitmap): Bitmap {
  const { width, height } = picture;
  const from = new Uint32Array(picture.data.buffer, picture.data.byteOffset, width * height);
  const to = new Uint32Array(width * height * 4);
  const at = (x: number, y: number) => from[clamp(y, height) * width + clamp(x, width)]!;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [up, left, right, down] = [at(x, y - 1), at(x - 1, y), at(x + 1, y), at(x, y + 1)];
      const isInside = [at(x, y), up, left, right, down].every((word) => word >>> 24 > 0);
      const corner = (one: number, other: number, away: boolean) =>
        isInside && one === other && away ? one : at(x, y);
      const first = 4 * y * width + 2 * x;
      to[first] = corner(up, left, up !== right && left !== down);
      to[first + 1] = corner(up, right, up !== left && right !== down);
      to[first + 2 * width] = corner(down, left, down !== right && left !== up);
      to[first + 2 * width + 1] = corner(down, right, down !== left && right !== up);
    }
  }
  return { width: width * 2, height: height * 2, data: new Uint8Array(to.buffer) };
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, 0), size - 1);
}
