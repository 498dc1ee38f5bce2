import { type Camera, type Frame, frameOf, inCamera, project } from "./camera.ts";
import {
  type Axis,
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
import { type Bounds, boundsOf, brightness, cornersOf, type PosedBox, type View } from "./views.ts";

/**
 * A box in one layer in front of a camera. Directions and points are in the axes of the camera (see
 * `inCamera`), except in `extent`.
 */
export type FigureBox = {
  readonly part: Part;
  /** An opaque box hides what lies behind it, and its inside is never seen. */
  readonly opaque: boolean;
  /**
   * The surface with the lower bias is seen if two have the same depth. In model units, too small to notice.
   */
  readonly bias: number;
  /** The least box with upright sides around it, in the axes of the model. */
  readonly extent: Bounds;
  /**
   * All six. The first `towards` look at the camera, so rays enter the box through them and leave through the
   * others.
   */
  readonly faces: readonly FigureFace[];
  readonly towards: number;
  /** The least rectangle around it on the picture, and the depth of its nearest corner. */
  readonly frame: Frame;
  readonly depth: number;
  /** Both ends of the edges that can be seen. */
  readonly edges: readonly (readonly [Triple, Triple])[];
};

/** A face of a box. */
export type FigureFace = {
  /** Where its texels lie on a sheet that is 64 texels wide. */
  readonly rect: Rect;
  /** Its upper left corner, and its upper and left sides as vectors. */
  readonly corner: Triple;
  readonly across: Triple;
  readonly down: Triple;
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
export type Plane = readonly [nearness: Triple, columns: Triple, rows: Triple];

/** The camera of a view. */
export type Eye = { readonly camera: Camera; readonly view: View };

/** Places a box in front of the camera of a view. */
export function figureBox(box: PosedBox, bias: number, eye: Eye): FigureBox {
  const corners = placedCorners(box);
  const seen = corners.map((corner) => project(eye.camera, corner));
  const sides = faces.map((name) => ({ name, ...figureFace(box, name, eye) }));
  const towards = sides.filter(({ isTowards }) => isTowards).length;
  sides.sort((a, b) => Number(b.isTowards) - Number(a.isTowards));
  const opaque = box.layer === "first";
  const seenSides = sides
    .slice(0, opaque ? towards : sides.length)
    .map(({ name }) => placementOf(box.part, name).outwards);
  return {
    part: box.part,
    opaque,
    bias,
    extent: extentOf(corners),
    faces: sides.map(({ face }) => face),
    towards,
    frame: frameOf(seen),
    depth: Math.min(...seen.map(({ depth }) => depth)),
    edges: edgesOf(
      corners.map((corner) => inCamera(eye.camera, subtract(corner, eye.camera.eye))),
      seenSides,
    ),
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
    corner,
    across,
    down,
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

/**
 * The edges between a box's corners (see `cornersOf`) at which a face that looks in one of these directions
 * ends.
 */
function edgesOf(corners: readonly Triple[], seen: readonly Direction[]): (readonly [Triple, Triple])[] {
  const isSeen = (axis: Axis, end: number) =>
    seen.some(
      ([outwardsAxis, direction]) => outwardsAxis === axis && (direction === "along") === (end === 1),
    );
  const axes = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ] as const;
  return axes.flatMap(([axis, b, c]) =>
    [0, 1, 2, 3].flatMap((ends) => {
      const [endB, endC] = [ends >> 1, ends & 1];
      const start = endB * (4 >> b) + endC * (4 >> c);
      const [from, to] = [corners[start], corners[start + (4 >> axis)]];
      return from && to && (isSeen(b, endB) || isSeen(c, endC)) ? [[from, to] as const] : [];
    }),
  );
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

function extentOf(corners: readonly Triple[]): Bounds {
  const [xs, ys, zs] = [corners.map(([x]) => x), corners.map(([, y]) => y), corners.map(([, , z]) => z)];
  return {
    min: [Math.min(...xs), Math.min(...ys), Math.min(...zs)],
    max: [Math.max(...xs), Math.max(...ys), Math.max(...zs)],
  };
}

function unitVector([axis, direction]: Direction): Triple {
  const length = direction === "along" ? 1 : -1;
  return [axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0];
}
