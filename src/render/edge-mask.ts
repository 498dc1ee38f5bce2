import type { Scene } from "./scene.ts";

/**
 * Marks (with 1) every pixel that a border between texels touches; a pixel without a mark lies within one texel of
 * whatever it shows. Borders that are hidden are marked too; that costs time, never quality.
 */
export function markEdges({ width, height, boxes }: Scene): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (const { lines } of boxes) {
    for (let i = 0; i < lines.length; i += 4) {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = lines.subarray(i, i + 4);
      if (Math.abs(x1 - x0) >= Math.abs(y1 - y0)) markFlat(mask, width, [x0, y0, x1, y1]);
      else markSteep(mask, width, [x0, y0, x1, y1]);
    }
  }
  return mask;
}

type Line = readonly [x0: number, y0: number, x1: number, y1: number];

/** Goes through the columns of a line that is wider than high, and marks the one or two pixels that it touches. */
function markFlat(mask: Uint8Array, width: number, [x0, y0, x1, y1]: Line): void {
  const left = Math.min(x0, x1);
  const right = Math.max(x0, x1);
  const slope = x1 === x0 ? 0 : (y1 - y0) / (x1 - x0);
  for (let x = Math.floor(left); x <= right; x++) {
    const a = y0 + (Math.max(left, x) - x0) * slope;
    const b = y0 + (Math.min(right, x + 1) - x0) * slope;
    mask[Math.floor(a) * width + x] = 1;
    mask[Math.floor(b) * width + x] = 1;
  }
}

/** The same by rows, for a line that is higher than wide. */
function markSteep(mask: Uint8Array, width: number, [x0, y0, x1, y1]: Line): void {
  const top = Math.min(y0, y1);
  const bottom = Math.max(y0, y1);
  const slope = (x1 - x0) / (y1 - y0);
  for (let y = Math.floor(top); y <= bottom; y++) {
    const a = x0 + (Math.max(top, y) - y0) * slope;
    const b = x0 + (Math.min(bottom, y + 1) - y0) * slope;
    mask[y * width + Math.floor(a)] = 1;
    mask[y * width + Math.floor(b)] = 1;
  }
}
