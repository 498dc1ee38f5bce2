import type { Scene, SceneBox } from "./scene.ts";
import { aimAt, createTracer, nearestOpaque } from "./trace.ts";

/**
 * Marks (with 1) every pixel that a visible border between texels touches; a pixel without a mark lies within one
 * texel of whatever it shows. A border may be marked in vain where it is hidden; that costs time, never quality.
 */
export function markEdges(scene: Scene): Uint8Array {
  const { width, height, boxes } = scene;
  const mask = new Uint8Array(width * height);
  const isHidden = hiddenTest(scene);
  for (const box of boxes) {
    const { lines } = box;
    const mark = (x: number, y: number, inverseDepth: number) => {
      const pixel = y * width + x;
      if (mask[pixel] === 0 && !isHidden(box, pixel, 1 / inverseDepth)) mask[pixel] = 1;
    };
    for (let i = 0; i < lines.length; i += 6) markLine(lines.subarray(i, i + 6), mark);
  }
  return mask;
}

type Mark = (x: number, y: number, inverseDepth: number) => void;

/** Calls `mark` for every pixel that a line touches, with the line's 1 / depth there, which runs evenly along it. */
function markLine([x0 = 0, y0 = 0, w0 = 0, x1 = 0, y1 = 0, w1 = 0]: Float64Array, mark: Mark): void {
  if (Math.abs(x1 - x0) >= Math.abs(y1 - y0)) markAlong([x0, y0, w0, x1, y1, w1], mark);
  else markAlong([y0, x0, w0, y1, x1, w1], (y, x, w) => mark(x, y, w));
}

type Line = readonly [x0: number, y0: number, w0: number, x1: number, y1: number, w1: number];

/** A line that is at least as wide as high touches one or two pixels of each column. */
function markAlong([x0, y0, w0, x1, y1, w1]: Line, mark: Mark): void {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
  const length = x1 - x0 || 1;
  for (let x = Math.floor(left); x <= right; x++) {
    const start = (Math.max(left, x) - x0) / length;
    const end = (Math.min(right, x + 1) - x0) / length;
    const w = w0 + ((w1 - w0) * (start + end)) / 2;
    const startRow = Math.floor(y0 + (y1 - y0) * start);
    const endRow = Math.floor(y0 + (y1 - y0) * end);
    mark(x, startRow, w);
    if (endRow !== startRow) mark(x, endRow, w);
  }
}

/**
 * Makes the test whether a border at a depth is hidden. What an opaque box covers at the middle of a pixel it covers in
 * the whole pixel, or else its own edge runs through the pixel and marks it. Its own faces never hide each other.
 * The depth of the cover is known at the middle only, so a border has to lie clearly behind it.
 */
function hiddenTest(scene: Scene): (box: SceneBox, pixel: number, depth: number) => boolean {
  const tracer = createTracer(scene);
  const { width, boxes } = scene;
  const unknown = -1;
  const coverDepths = new Float64Array(width * scene.height).fill(unknown);
  const coverBoxes = new Uint8Array(width * scene.height);
  const clearly = 0.2 + 4 * unitsPerPixel(scene);
  return (box, pixel, depth) => {
    if (coverDepths[pixel] === unknown) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      aimAt(tracer, x, y);
      const cover = nearestOpaque(tracer, x + 0.5, y + 0.5);
      coverDepths[pixel] = cover?.depth ?? Infinity;
      coverBoxes[pixel] = cover ? boxes.indexOf(cover.box) : unknown;
    }
    return depth > (coverDepths[pixel] ?? 0) + clearly && boxes[coverBoxes[pixel] ?? 0] !== box;
  };
}

/** About how much of the model a pixel shows; the figure is at least 8 units wide. */
function unitsPerPixel({ width }: Scene): number {
  return 36 / width;
}
