import type { Border, Scene, SceneBox } from "./scene.ts";
import { aimAt, createTracer, nearestOpaque } from "./trace.ts";

/** Which pixels the visible borders between texels touch. */
export type Edges = {
  /** For each pixel 0 where one texel fills it, 1 where a single border parts it, 2 where it needs a closer look. */
  readonly kinds: Uint8Array;
  /** For each pixel of kind 1 its border, as an index of `borders`. */
  readonly borderOf: Uint32Array;
  readonly borders: readonly Border[];
};

/** Finds all edges. A border may be found in vain where it is hidden; that costs time, never quality. */
export function findEdges(scene: Scene): Edges {
  const { width, height, boxes } = scene;
  const kinds = new Uint8Array(width * height);
  const borderOf = new Uint32Array(width * height);
  const borders: Border[] = [];
  const isHidden = hiddenTest(scene);
  for (const box of boxes) {
    for (const border of box.borders) {
      markBorder(border, (x, y, depth) => {
        const pixel = y * width + x;
        const kind = kinds[pixel] ?? 0;
        if (kind === 2 || isHidden(box, pixel, depth)) return;
        kinds[pixel] = border.uncovers ? 2 : kind + 1;
        borderOf[pixel] = borders.length;
      });
      borders.push(border);
    }
  }
  return { kinds, borderOf, borders };
}

type Mark = (x: number, y: number, depth: number) => void;

/** Calls `mark` for every pixel that a border touches, with the border's depth there. */
function markBorder({ from, to }: Border, mark: Mark): void {
  if (Math.abs(to.x - from.x) >= Math.abs(to.y - from.y)) {
    markAlong([from.x, from.y, 1 / from.depth, to.x, to.y, 1 / to.depth], mark);
  } else {
    const swapped: Mark = (y, x, depth) => mark(x, y, depth);
    markAlong([from.y, from.x, 1 / from.depth, to.y, to.x, 1 / to.depth], swapped);
  }
}

/** Both ends; `w` is 1 / depth, which unlike the depth runs evenly along the line. */
type Line = readonly [x0: number, y0: number, w0: number, x1: number, y1: number, w1: number];

/** A line that is at least as wide as high touches one or two pixels of each column. */
function markAlong([x0, y0, w0, x1, y1, w1]: Line, mark: Mark): void {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
  const length = x1 - x0 || 1;
  for (let x = Math.floor(left); x <= right; x++) {
    const start = (Math.max(left, x) - x0) / length;
    const end = (Math.min(right, x + 1) - x0) / length;
    const depth = 1 / (w0 + ((w1 - w0) * (start + end)) / 2);
    const startRow = Math.floor(y0 + (y1 - y0) * start);
    const endRow = Math.floor(y0 + (y1 - y0) * end);
    mark(x, startRow, depth);
    if (endRow !== startRow) mark(x, endRow, depth);
  }
}

/**
 * Makes the test whether a border at a depth is hidden. What an opaque box covers at the middle of a pixel it covers in
 * the whole pixel, or else a border that uncovers runs through the pixel, and then all of the pixel's samples are
 * traced. A box's own faces never hide each other. The depth of the cover is known at the middle of the pixel only, so
 * a border has to lie clearly behind it.
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

/** About how much of the model a pixel shows; the figure is at most 36 units wide. */
function unitsPerPixel({ width }: Scene): number {
  return 36 / width;
}
