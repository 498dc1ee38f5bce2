import type { Triple } from "./parts.ts";
import { add, cross, dot, radians, rotate, rotationOf, scale, subtract, unit } from "./vector.ts";
import { boundsOf, boxesOf, cornersOf, type PosedBox, type View } from "./views.ts";

/** A perspective camera and how its image lies on the picture. The three axes are unit vectors. */
export type Camera = {
  readonly eye: Triple;
  readonly right: Triple;
  readonly up: Triple;
  readonly forward: Triple;
  /** Pixels per model unit at depth 1. */
  readonly zoom: number;
  /** Where the line straight ahead meets the picture, in pixels. */
  readonly centreX: number;
  readonly centreY: number;
};

/** Part of the width that stays free on each side; never less than a pixel. */
const marginOfWidth = 0.03;

/**
 * Sets up the camera of a view for a picture of the given width. The figure fills the picture but for a small margin;
 * the frame follows from the classic model with both layers, so it is the same for every skin.
 */
export function cameraFor(view: View, width: number): Camera {
  const height = width * view.aspect;
  const margin = Math.max(1, width * marginOfWidth);
  const camera = unframedCamera(view);
  const points = boxesOf(view, "classic").flatMap((box) =>
    cornersOf(boundsOf(box)).map((corner) => project(camera, placed(box, corner))),
  );
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (bottom - top));
  return {
    ...camera,
    zoom,
    centreX: width / 2 - (zoom * (left + right)) / 2,
    centreY: height / 2 - (zoom * (top + bottom)) / 2,
  };
}

/** A point of the picture, in pixels from the upper left corner, and how far before the camera lies what is seen there. */
export type PicturePoint = { readonly x: number; readonly y: number; readonly depth: number };

/** Where a point of the model is seen. */
export function project(camera: Camera, point: Triple): PicturePoint {
  const seen = subtract(point, camera.eye);
  const depth = dot(seen, camera.forward);
  return {
    x: camera.centreX + (dot(seen, camera.right) * camera.zoom) / depth,
    y: camera.centreY - (dot(seen, camera.up) * camera.zoom) / depth,
    depth,
  };
}

/**
 * The ray through a point of the picture is `base + x * stepX + y * stepY`, with x and y in pixels. Its length is such
 * that going along it once adds 1 to the depth.
 */
export function rayThrough(camera: Camera): { base: Triple; stepX: Triple; stepY: Triple } {
  const stepX = scale(camera.right, 1 / camera.zoom);
  const stepY = scale(camera.up, -1 / camera.zoom);
  const toCorner = add(scale(stepX, -camera.centreX), scale(stepY, -camera.centreY));
  return { base: add(camera.forward, toCorner), stepX, stepY };
}

/** Moves a point of a box to where the box's turn takes it. */
export function placed({ part, turn }: PosedBox, point: Triple): Triple {
  return add(part.pivot, rotate(rotationOf(turn), subtract(point, part.pivot)));
}

function unframedCamera(view: View): Camera {
  const [yaw, pitch] = [radians(view.yaw), radians(view.pitch)];
  const outwards: Triple = [
    Math.sin(yaw) * Math.cos(pitch),
    Math.sin(pitch),
    Math.cos(yaw) * Math.cos(pitch),
  ];
  const forward = scale(outwards, -1);
  const right = unit(cross(forward, [0, 1, 0]));
  const eye = add(view.target, scale(outwards, view.distance));
  return { eye, right, up: cross(right, forward), forward, zoom: 1, centreX: 0, centreY: 0 };
}
