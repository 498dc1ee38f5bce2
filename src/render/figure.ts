import { cameraFor, type Frame, frameOf, project, type SeenPoint } from "./camera.ts";
import { type FigureBox, figureBox, type FigureFace, placedCorners, type Plane } from "./figure-box.ts";
import type { Model, Rect, Triple } from "./parts.ts";
import { dot, scale, subtract } from "./vector.ts";
import { boxesOf, type View } from "./views.ts";

/**
 * A player in front of the camera of a view: all geometry that depends neither on the size of the picture nor
 * on the textures.
 */
export type Figure = {
  /** The opaque boxes come first. */
  readonly boxes: readonly FigureBox[];
  readonly seams: readonly Seam[];
  /**
   * What the picture has to show: the classic model with both layers, so that it is the same for every skin.
   */
  readonly frame: Frame;
};

/**
 * A line of the picture at which two boxes run into each other, so that beyond it the other one is in front.
 */
export type Seam = {
  readonly from: SeenPoint;
  readonly to: SeenPoint;
  /** The two faces: the position of the box, and of the face in the box. */
  readonly faces: readonly (readonly [box: number, face: number])[];
};

/** Boxes that lie closer together than biases reach are taken to touch, in model units. */
const touch = 2e-3;

const biasStep = 1e-4;

const known = new WeakMap<View, Map<Model, Figure>>();

/** The figure of a view. It is worked out once for each view and model, which are few. */
export function figureFor(view: View, model: Model): Figure {
  const models = known.get(view) ?? new Map<Model, Figure>();
  known.set(view, models);
  const figure = models.get(model) ?? buildFigure(view, model);
  models.set(model, figure);
  return figure;
}

function buildFigure(view: View, model: Model): Figure {
  const camera = cameraFor(view);
  const boxes = boxesOf(view, model).map((box, i) => figureBox(box, i * biasStep, { camera, view }));
  boxes.sort((a, b) => Number(b.opaque) - Number(a.opaque));
  const corners = boxesOf({ ...view, layers: "both" }, "classic").flatMap(placedCorners);
  const frame = frameOf(corners.map((corner) => project(camera, corner)));
  return { boxes, seams: findSeams(boxes), frame };
}

/**
 * Finds where faces of different parts cross; the two layers of a part lie in each other and never do. Biases
 * move a seam: surfaces change places where `1 / a + bias` equals `1 / b`, which is about where `a - b`
 * equals `bias * a * a`. So for each seam there are two lines, with all that a bias can do between them, less
 * than two pixels apart.
 */
function findSeams(boxes: readonly FigureBox[]): Seam[] {
  return boxes.flatMap((a, i) =>
    boxes.slice(0, i).flatMap((b, j) => {
      if (a.part === b.part || !isTouching(a, b)) return [];
      const reach = (1.1 * Math.abs(a.bias - b.bias)) / Math.min(a.depth, b.depth) ** 2;
      return seenFaces(a).flatMap((one, f) =>
        seenFaces(b).flatMap((other, g) =>
          [reach, -reach].flatMap((apart) =>
            seamOf(one, other, apart).map(([from, to]) => ({
              from,
              to,
              faces: [[i, f] as const, [j, g] as const],
            })),
          ),
        ),
      );
    }),
  );
}

/** Only the faces of an opaque box that look at the camera can be seen. */
export function seenFaces({ faces, opaque, towards }: FigureBox): readonly FigureFace[] {
  return opaque ? faces.slice(0, towards) : faces;
}

function isTouching({ extent: a }: FigureBox, { extent: b }: FigureBox): boolean {
  return ([0, 1, 2] as const).every((i) => a.min[i] < b.max[i] + touch && b.min[i] < a.max[i] + touch);
}

/**
 * Two planes cross where their nearness is equal: on a straight line of the picture; here, where it is
 * `apart`. The seam is the part of the line that lies inside both faces, each of which is bounded by four
 * lines, and a little more. Planes whose angle is smaller than the rounding error do not cross.
 */
function seamOf(a: FigureFace, b: FigureFace, apart: number): (readonly [SeenPoint, SeenPoint])[] {
  const [stepX, stepY, base] = subtract(a.plane[0], b.plane[0]);
  const steep = Math.hypot(stepX, stepY);
  if (steep < 1e-9) return [];
  const distance = (apart - base) / steep ** 2;
  const point: Triple = [distance * stepX, distance * stepY, 1];
  const way: Triple = [-stepY / steep, stepX / steep, 0];
  let [start, end] = [-Infinity, Infinity];
  for (const bound of [...boundsOf(a.plane, a.rect), ...boundsOf(b.plane, b.rect)]) {
    const [value, slope] = [dot(bound, point), dot(bound, way)];
    if (slope > 0) start = Math.max(start, -value / slope);
    else if (slope < 0) end = Math.min(end, -value / slope);
    else if (value < 0) return [];
  }
  const margin = (2 * Math.abs(apart)) / steep;
  if (end - start < -margin) return [];
  const seen = (t: number): SeenPoint => {
    const [x, y] = [point[0] + t * way[0], point[1] + t * way[1]];
    return { x, y, depth: 1 / dot(a.plane[0], [x, y, 1]) };
  };
  return [[seen(start - margin), seen(end + margin)]];
}

/** The four linear functions that are positive inside a face. */
function boundsOf([nearness, columns, rows]: Plane, { width, height }: Rect): Triple[] {
  const [lastColumn, lastRow] = [scale(nearness, width), scale(nearness, height)];
  return [columns, rows, subtract(lastColumn, columns), subtract(lastRow, rows)];
}
