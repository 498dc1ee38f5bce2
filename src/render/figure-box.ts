import { type Camera, inCamera } from "./camera.ts";
import {
  type Direction,
  type Face,
  faceRects,
  faces,
  type Part,
  placementOf,
  type Rect,
  type Triple,
} from "./parts.ts";
import { add, cross, dot, rotate, type Rotation, rotationOf, scale, subtract } from "./vector.ts";
import { boundsOf, brightness, cornersOf, type PosedBox, type View } from "./views.ts";

/** A box in one layer in front of a camera. Directions and points are in the axes of the camera. */
export type FigureBox = {
  readonly part: Part;
  /** An opaque box hides what lies behind it, and its inside is never seen. */
  readonly opaque: boolean;
  /**
   * The surface with the lower bias is seen if two have the same depth. In model units, too small to notice.
   */
  readonly bias: number;
  /**
   * All six. The first `towards` look at the camera, so rays enter the box through them and leave through the
   * others.
   */
  readonly faces: readonly FigureFace[];
  readonly towards: number;
};

/** A face of a box. */
type FigureFace = {
  /** Where its texels lie on a sheet that is 64 texels wide. */
  readonly rect: Rect;
  /**
   * Where a ray meets the plane of the face. It follows from three linear functions of the picture's x and y:
   * the nearness, which is 1 / depth, and the column and the row of `rect`, each times the nearness. For each
   * of them the step by x, the step by y and the value at (0, 0).
   */
  readonly plane: Plane;
  /** Brightness of the side that is seen, 0 to 255. */
  readonly shade: number;
};

/** See `FigureFace`. */
type Plane = readonly [nearness: Triple, columns: Triple, rows: Triple];

/** The camera of a view. */
type Eye = { readonly camera: Camera; readonly view: View };

/** Places a box in front of the camera of a view. */
export function figureBox(box: PosedBox, bias: number, eye: Eye): FigureBox {
  const sides = faces.map((name) => figureFace(box, name, eye));
  sides.sort((a, b) => Number(b.isTowards) - Number(a.isTowards));
  return {
    part: box.part,
    opaque: box.layer === "first",
    bias,
    faces: sides.map(({ face }) => face),
    towards: sides.filter(({ isTowards }) => isTowards).length,
  };
}

function figureFace(box: PosedBox, name: Face, { camera, view }: Eye) {
  const { part, layer } = box;
  const turn = rotationOf(box.turn);
  const { min, max } = boundsOf(box);
  const { outwards, columns, rows } = placementOf(part, name);
  const start: [number, number, number] = [...min];
  if (outwards[1] === "along") start[outwards[0]] = max[outwards[0]];
  for (const [axis, direction] of [columns, rows]) if (direction === "against") start[axis] = max[axis];
  const side = (direction: Direction) =>
    inCamera(camera, rotate(turn, scale(unitVector(direction), max[direction[0]] - min[direction[0]])));

  const away = subtract(placed(part, turn, start), camera.eye);
  const normal = rotate(turn, unitVector(outwards));
  const isTowards = dot(away, normal) < 0;
  const rect = faceRects(part, layer)[name];
  const [corner, across, down] = [inCamera(camera, away), side(columns), side(rows)];
  const face: FigureFace = {
    rect,
    plane: planeOf(corner, scale(across, 1 / rect.width), scale(down, 1 / rect.height)),
    shade: Math.round(255 * brightness(isTowards ? normal : scale(normal, -1), view)),
  };
  return { face, isTowards };
}

/**
 * The ray through (x, y) meets the plane where
 * `depth * (x, y, 1) = corner + column * columnStep + row * rowStep`. Those are three equations, which
 * Cramer's rule solves for 1 / depth, column / depth and row / depth.
 */
function planeOf(corner: Triple, columnStep: Triple, rowStep: Triple): Plane {
  const normal = cross(columnStep, rowStep);
  const volume = dot(normal, corner);
  return [
    scale(normal, 1 / volume),
    scale(cross(rowStep, corner), 1 / volume),
    scale(cross(corner, columnStep), 1 / volume),
  ];
}

/** All eight corners of a box in its pose, in the axes of the model (see `cornersOf`). */
export function placedCorners(box: PosedBox): Triple[] {
  const turn = rotationOf(box.turn);
  return cornersOf(boundsOf(box)).map((corner) => placed(box.part, turn, corner));
}

/** Moves a point of a part to where the part's turn takes it. */
function placed({ pivot }: Part, turn: Rotation, point: Triple): Triple {
  return add(pivot, rotate(turn, subtract(point, pivot)));
}

function unitVector([axis, direction]: Direction): Triple {
  const length = direction === "along" ? 1 : -1;
  return [axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0];
}
