import type { Lines } from "./lines.ts";
import { faceCount, type Scene, texelAt } from "./scene.ts";

/** Whether a face of a seam is transparent all over a pixel, so that it makes no difference which one is in front. */
export function isBlankSeam({ scene, texels }: Lines, seam: number, x: number, y: number): boolean {
  if (texels === null) return false;
  const one = scene.seamFaces[seam * 2] ?? 0;
  const other = scene.seamFaces[seam * 2 + 1] ?? 0;
  return isBlank(scene, texels, one, { x, y }) || isBlank(scene, texels, other, { x, y });
}

/** Whether the texels of a face are transparent from the least to the greatest row and column that a pixel shows. */
function isBlank(scene: Scene, texels: Int32Array, face: number, pixel: { x: number; y: number }): boolean {
  if (scene.opaque[(face / faceCount) | 0] === 1) return false;
  const first = scene.firstTexels[face] ?? 0;
  const width = scene.sheetWidths[face] ?? 1;
  let left = scene.lastColumns[face] ?? 0;
  let top = scene.lastRows[face] ?? 0;
  let right = 0;
  let bottom = 0;
  for (let corner = 0; corner < 4; corner++) {
    const place = texelAt(scene, face, pixel.x + (corner & 1), pixel.y + (corner >> 1)) - first;
    const row = (place / width) | 0;
    const column = place - row * width;
    if (column < left) left = column;
    if (column > right) right = column;
    if (row < top) top = row;
    if (row > bottom) bottom = row;
  }
  for (let row = top; row <= bottom; row++) {
    const start = first + row * width;
    for (let at = start + left; at <= start + right; at++) if ((texels[at] ?? 0) >>> 24 !== 0) return false;
  }
  return true;
}
