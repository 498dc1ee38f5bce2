import { expect } from "bun:test";
import { type Bitmap, wordsOf } from "../../src/render/bitmap.ts";

/**
 * Fails when two pictures differ in ten pixels or more that are not at an edge of what the second one shows.
 */
export function expectAlike(ours: Bitmap, oracle: Bitmap): void {
  expect([ours.width, ours.height]).toEqual([oracle.width, oracle.height]);
  const calm = calmPixels(oracle);
  const shown = calm.filter((at) => oracle.data[at * 4 + 3]! > 0);
  // Painting in order cannot show the sliver by which a shoulder runs into the torso.
  expect(calm.filter((at) => isDifferent(ours, oracle, at)).length).toBeLessThan(10);
  expect(shown.length).toBeGreaterThan(oracle.width * oracle.height * 0.1);
}

/** Where the oracle shows one colour all around a pixel, the edges' smoothness cannot matter. */
function calmPixels(picture: Bitmap): readonly number[] {
  const { width, height } = picture;
  const words = wordsOf(picture);
  const calm: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      let isCalm = true;
      for (let row = at - width; row <= at + width; row += width)
        for (let one = row - 1; one <= row + 1; one++) isCalm &&= words[one] === words[at];
      if (isCalm) calm.push(at);
    }
  }
  return calm;
}

function isDifferent(ours: Bitmap, oracle: Bitmap, at: number): boolean {
  const isClear = oracle.data[at * 4 + 3] === 0;
  for (let i = isClear ? 3 : 0; i < 4; i++)
    if (Math.abs(oracle.data[at * 4 + i]! - ours.data[at * 4 + i]!) > 3) return true;
  return false;
}
