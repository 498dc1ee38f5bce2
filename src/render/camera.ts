import type { Triple } from "./parts.ts";
import { add, cross, dot, radians, scale, subtract, unit } from "./vector.ts";
import type { View } from "./views.ts";

/** A perspective camera. The three axes are unit vectors. */
export type Camera = {
  readonly eye: Triple;
  readonly right: Triple;
  readonly down: Triple;
  readonly forward: Triple;
};

/**
 * A point that is seen: where on a picture at distance 1 from the camera, and how far before the camera
 * itself.
 */
export type SeenPoint = { readonly x: number; readonly y: number; readonly depth: number };

/** The least rectangle that shows something. */
export type Frame = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

/**
 * How what the camera sees lies on a picture: at `centre + zoom * seen`, in pixels from the upper left
 * corner.
 */
export type Framing = { readonly zoom: number; readonly centreX: number; readonly centreY: number };

/** Part of the width that stays free on each side; never less than a pixel. */
const marginOfWidth = 0.03;

/** Sets up the camera of a view. */
export function cameraFor(view: View): Camera {
  const [yaw, pitch] = [radians(view.yaw), radians(view.pitch)];
  const outwards: Triple = [
    Math.sin(yaw) * Math.cos(pitch),
    Math.sin(pitch),
    Math.cos(yaw) * Math.cos(pitch),
  ];
  const forward = scale(outwards, -1);
  const right = unit(cross(forward, [0, 1, 0]));
  const eye = add(view.target, scale(outwards, view.distance));
  return { eye, right, down: cross(forward, right), forward };
}

/** A way in the model, in the axes of the camera: to the right, down, and away from it. */
export function inCamera({ right, down, forward }: Camera, way: Triple): Triple {
  return [dot(way, right), dot(way, down), dot(way, forward)];
}

/** Where a point of the model is seen. */
export function project(camera: Camera, point: Triple): SeenPoint {
  const [x, y, depth] = inCamera(camera, subtract(point, camera.eye));
  return { x: x / depth, y: y / depth, depth };
}

/** The frame of some points. */
export function frameOf(points: readonly SeenPoint[]): Frame {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/**
 * Fits a frame into a picture of the given size in pixels: it fills the picture except for a small margin.
 */
export function framingOf({ left, right, top, bottom }: Frame, width: number, height: number): Framing {
  const margin = Math.max(1, width * marginOfWidth);
  const zoom = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (bottom - top));
  return {
    zoom,
    centreX: width / 2 - (zoom * (left + right)) / 2,
    centreY: height / 2 - (zoom * (top + bottom)) / 2,
  };
}
