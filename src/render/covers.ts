import { faceCount, planeSize, type Scene } from "./scene.ts";

/** Which opaque box covers what lies behind it, for each pixel of some rows. */
export type Covers = {
  readonly scene: Scene;
  top: number;
  bottom: number;
  /** The opaque box that is seen in the middle of the pixel, or -1. */
  readonly boxes: Int8Array;
  /** How much deeper than a cover something has to lie to count as covered, in model units. */
  readonly clearly: number;
};

/** Makes room for the covers of so many pixels. */
export function createCovers(scene: Scene, pixels: number): Covers {
  // About how much of the model a pixel shows: the figure is at most 36 units wide.
  const unitsPerPixel = 36 / scene.width;
  return {
    scene,
    top: 0,
    bottom: 0,
    boxes: new Int8Array(pixels),
    clearly: 0.2 + 4 * unitsPerPixel,
  };
}

/** Finds the covers of the rows from `top` to before `bottom`. */
export function coverRows(covers: Covers, top: number, bottom: number): void {
  const { scene, boxes } = covers;
  const { frames, width } = scene;
  covers.top = top;
  covers.bottom = bottom;
  boxes.fill(-1);
  for (let box = 0; box < scene.boxCount; box++) {
    if (scene.opaque[box] === 0) continue;
    const stop = Math.min(bottom, Math.ceil(frames[box * 4 + 3] ?? 0)) | 0;
    for (let y = Math.max(top, (frames[box * 4 + 2] ?? 0) | 0); y < stop; y++) {
      const { left, right } = crossRow(scene, box, y + 0.5);
      const row = (y - top) * width;
      const end = Math.ceil(right - 0.5) | 0;
      for (let x = Math.ceil(left - 0.5) | 0; x < end; x++) {
        const other = boxes[row + x] ?? -1;
        if (other < 0 || depthOf(scene, box, x, y) < depthOf(scene, other, x, y)) boxes[row + x] = box;
      }
    }
  }
}

/**
 * Whether something that lies so near in a pixel is covered there; a box's own faces never cover each other.
 * What an opaque box covers in the middle of a pixel it covers in the whole pixel, or else an edge of it runs
 * through the pixel, and then the pixel is looked at closely. The depth of the cover is known in the middle
 * of the pixel only, so things have to lie clearly behind it.
 */
export function isCovered(covers: Covers, pixel: number, ownBox: number, near: number): boolean {
  const cover = covers.boxes[pixel] ?? -1;
  if (cover === -1 || cover === ownBox) return false;
  return near < limitOf(covers, pixel, cover);
}

function limitOf({ scene, top, clearly }: Covers, pixel: number, cover: number): number {
  const row = (pixel / scene.width) | 0;
  return 1 / (depthOf(scene, cover, pixel - row * scene.width, top + row) + clearly);
}

/**
 * How deep a ray through the middle of a pixel goes into a box: behind the last of the faces that look at the
 * camera.
 */
function depthOf({ planes, towards, biases }: Scene, box: number, x: number, y: number): number {
  let least = Infinity;
  const first = box * faceCount * planeSize;
  const end = first + (towards[box] ?? 0) * planeSize;
  for (let at = first; at < end; at += planeSize) {
    const near = (planes[at] ?? 0) + (x + 0.5) * (planes[at + 1] ?? 0) + (y + 0.5) * (planes[at + 2] ?? 0);
    if (near < least) least = near;
  }
  return 1 / least + (biases[box] ?? 0);
}

/**
 * Where the rays of a level line go through a box: from which x to which. They do where every face that looks
 * at the camera is nearer than every other one.
 */
function crossRow(
  { planes, towards, width }: Scene,
  box: number,
  y: number,
): { left: number; right: number } {
  let left = 0;
  let right = width;
  const first = box * faceCount * planeSize;
  const away = first + (towards[box] ?? 0) * planeSize;
  const end = first + faceCount * planeSize;
  for (let i = first; i < away; i += planeSize) {
    for (let j = away; j < end; j += planeSize) {
      const step = (planes[i + 1] ?? 0) - (planes[j + 1] ?? 0);
      const lead = (planes[i] ?? 0) - (planes[j] ?? 0) + y * ((planes[i + 2] ?? 0) - (planes[j + 2] ?? 0));
      if (step > 0) left = Math.max(left, -lead / step);
      else if (step < 0) right = Math.min(right, -lead / step);
      else if (lead <= 0) right = 0;
    }
  }
  // Where planes are nearly parallel the crossing lies far away, and `|` would cut that off to any number.
  return { left: Math.min(left, width), right: Math.max(right, 0) };
}
