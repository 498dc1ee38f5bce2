import { type Bitmap, wordsOf } from "./bitmap.ts";
import { type Model, type Rect, scaleRect } from "./parts.ts";

/** The columns of a 64x64 sheet that arms three wide leave unused: above and beside both arms. */
const unusedColumns: readonly Rect[] = [
  { x: 50, y: 16, width: 2, height: 4 },
  { x: 54, y: 20, width: 2, height: 12 },
  { x: 42, y: 48, width: 2, height: 4 },
  { x: 46, y: 52, width: 2, height: 12 },
];
const opaqueBlack = 0xff000000;
const opaqueWhite = 0xffffffff;

/**
 * Guesses a skin's arms from its pixels when no model is declared: slim when the columns that slim arms leave
 * unused have a pixel that is not opaque, or are all black, or all white. Takes the texture as uploaded,
 * before any alpha is forced. A 64x32 sheet is always classic.
 */
export function detectModel(bitmap: Bitmap): Model {
  if (bitmap.width !== bitmap.height) return "classic";
  const words = wordsOf(bitmap);
  const scale = bitmap.width / 64;
  let black = true;
  let white = true;
  for (const column of unusedColumns) {
    const { x, y, width, height } = scaleRect(column, scale);
    for (let row = y; row < y + height; row++) {
      for (let i = row * bitmap.width + x, end = i + width; i < end; i++) {
        const word = words[i] ?? 0;
        if (word < opaqueBlack) return "slim";
        black &&= word === opaqueBlack;
        white &&= word === opaqueWhite;
      }
    }
  }
  return black || white ? "slim" : "classic";
}
