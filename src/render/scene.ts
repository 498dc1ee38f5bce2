import { type Camera, cameraFor, placed, project } from "./camera.ts";
import { type Face, faceRects, faces, type Model, type Rect, scaleRect, type Triple } from "./parts.ts";
import { rotate, rotationOf, subtract, transpose } from "./vector.ts";
import { boundsOf, boxesOf, brightness, type PosedBox, type View } from "./views.ts";

export type Axis = 0 | 1 | 2;
export const axes: readonly Axis[] = [0, 1, 2];

/** What the geometry of a picture depends on; never on what the textures show. */
export type SceneKey = {
  readonly view: View;
  /** Width of the picture in pixels. */
  readonly width: number;
  readonly model: Model;
  /** Texels per model unit of the skin, and of the cape where the view shows one. */
  readonly skinScale: number;
  readonly capeScale: number;
};

/** A view set up for one size of picture: its boxes, ready to be met by rays. */
export type Scene = { readonly width: number; readonly height: number; readonly boxes: readonly SceneBox[] };

/** A face as the tracer needs it. Texels are numbered through the skin's sheet and then on through the cape's. */
export type SceneFace = {
  readonly firstTexel: number;
  readonly sheetWidth: number;
  readonly columns: number;
  readonly rows: number;
  /** Which axis of the box runs along the face's columns and rows, and whether it runs against them. */
  readonly columnAxis: Axis;
  readonly columnsReversed: boolean;
  readonly rowAxis: Axis;
  readonly rowsReversed: boolean;
  /** Brightness seen from outside and from inside, 0 to 255. */
  readonly outerShade: number;
  readonly innerShade: number;
};

type Ends = readonly [SceneFace, SceneFace];

export type SceneBox = {
  /** An opaque box hides what lies behind it, and its inside is never seen. */
  readonly opaque: boolean;
  /** Of two surfaces at one depth that with the lower bias is seen; in model units, far below what can be noticed. */
  readonly bias: number;
  /** In the box's own axes: the camera, the two corners, and the ray of pixel (x, y) as base + x * stepX + y * stepY. */
  readonly eye: Triple;
  readonly min: Triple;
  readonly max: Triple;
  readonly rayBase: Triple;
  readonly rayStepX: Triple;
  readonly rayStepY: Triple;
  /** By axis, the face at the lesser and at the greater end. */
  readonly ends: readonly [Ends, Ends, Ends];
  /** The box's bounds on the picture, in pixels. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The borders of all its texels that can be seen, as lines on the picture: x0, y0, x1, y1 one after another. */
  readonly lines: Float64Array;
};

type FaceAxes = Pick<SceneFace, "columnAxis" | "columnsReversed" | "rowAxis" | "rowsReversed"> & {
  readonly axis: Axis;
  readonly end: 0 | 1;
};

/** How each face's rectangle lies on the box (see `faceRects`): x runs to the player's left, y up, z to the front. */
const faceAxes: Readonly<Record<Face, FaceAxes>> = {
  right: { axis: 0, end: 0, columnAxis: 2, columnsReversed: false, rowAxis: 1, rowsReversed: true },
  left: { axis: 0, end: 1, columnAxis: 2, columnsReversed: true, rowAxis: 1, rowsReversed: true },
  bottom: { axis: 1, end: 0, columnAxis: 0, columnsReversed: false, rowAxis: 2, rowsReversed: false },
  top: { axis: 1, end: 1, columnAxis: 0, columnsReversed: false, rowAxis: 2, rowsReversed: false },
  back: { axis: 2, end: 0, columnAxis: 0, columnsReversed: true, rowAxis: 1, rowsReversed: true },
  front: { axis: 2, end: 1, columnAxis: 0, columnsReversed: false, rowAxis: 1, rowsReversed: true },
};
const biasStep = 1e-4;

/** Places the boxes of a view before its camera. */
export function buildScene(key: SceneKey): Scene {
  const camera = cameraFor(key.view, key.width);
  const boxes = boxesOf(key.view, key.model).map((box, i) => sceneBox(box, i * biasStep, camera, key));
  return { width: key.width, height: key.width * key.view.aspect, boxes };
}

function sceneBox(box: PosedBox, bias: number, camera: Camera, key: SceneKey): SceneBox {
  const { min, max } = boundsOf(box);
  const intoBox = transpose(rotationOf(box.turn));
  const { pivot } = box.part;
  const shifted = rotate(intoBox, subtract(camera.eye, pivot));
  const eye: Triple = [shifted[0] + pivot[0], shifted[1] + pivot[1], shifted[2] + pivot[2]];
  const stepX = rotate(intoBox, camera.right);
  const down = rotate(intoBox, camera.up);
  const forward = rotate(intoBox, camera.forward);
  const { zoom, centreX, centreY } = camera;
  const ray = (i: Axis) => forward[i] - (stepX[i] * centreX) / zoom + (down[i] * centreY) / zoom;
  const opaque = box.layer === "first";
  const corners = cornerPoints(min, max).map((corner) => project(camera, placed(box, corner)));
  const faceOf = (face: Face) => sceneFace(box, face, key);
  return {
    opaque,
    bias,
    eye,
    min,
    max,
    rayBase: [ray(0), ray(1), ray(2)],
    rayStepX: [stepX[0] / zoom, stepX[1] / zoom, stepX[2] / zoom],
    rayStepY: [-down[0] / zoom, -down[1] / zoom, -down[2] / zoom],
    ends: [
      [faceOf("right"), faceOf("left")],
      [faceOf("bottom"), faceOf("top")],
      [faceOf("back"), faceOf("front")],
    ],
    left: Math.min(...corners.map((p) => p.x)),
    right: Math.max(...corners.map((p) => p.x)),
    top: Math.min(...corners.map((p) => p.y)),
    bottom: Math.max(...corners.map((p) => p.y)),
    lines: Float64Array.from(
      faces
        .filter((face) => !opaque || isTowards(face, eye, { min, max }))
        .flatMap((face) => texelBorders(face, faceOf(face), { min, max }))
        .flatMap(([a, b]) => [project(camera, placed(box, a)), project(camera, placed(box, b))])
        .flatMap(({ x, y }) => [x, y]),
    ),
  };
}

function sceneFace({ part, layer, turn }: PosedBox, face: Face, key: SceneKey): SceneFace {
  const { axis, end, ...axes } = faceAxes[face];
  const onCape = part.name === "cape";
  const scale = onCape ? key.capeScale : key.skinScale;
  const rect: Rect = scaleRect(faceRects(part, layer)[face], scale);
  const sheetStart = onCape ? (64 * key.skinScale) ** 2 : 0;
  const normal: [number, number, number] = [0, 0, 0];
  normal[axis] = end === 1 ? 1 : -1;
  const outwards = rotate(rotationOf(turn), normal);
  const inwards: Triple = [-outwards[0], -outwards[1], -outwards[2]];
  return {
    ...axes,
    firstTexel: sheetStart + rect.y * 64 * scale + rect.x,
    sheetWidth: 64 * scale,
    columns: rect.width,
    rows: rect.height,
    outerShade: Math.round(255 * brightness(outwards, key.view)),
    innerShade: Math.round(255 * brightness(inwards, key.view)),
  };
}

type Bounds = { readonly min: Triple; readonly max: Triple };

function isTowards(face: Face, eye: Triple, { min, max }: Bounds): boolean {
  const { axis, end } = faceAxes[face];
  return end === 1 ? eye[axis] > max[axis] : eye[axis] < min[axis];
}

/** The lines between and around the texels of a face, in the box's own axes. */
function texelBorders(face: Face, { columns, rows }: SceneFace, bounds: Bounds): [Triple, Triple][] {
  const { axis, end, columnAxis, rowAxis } = faceAxes[face];
  const point = (alongColumns: number, alongRows: number): Triple => {
    const at: [number, number, number] = [0, 0, 0];
    at[axis] = end === 1 ? bounds.max[axis] : bounds.min[axis];
    at[columnAxis] = mix(bounds.min[columnAxis], bounds.max[columnAxis], alongColumns);
    at[rowAxis] = mix(bounds.min[rowAxis], bounds.max[rowAxis], alongRows);
    return at;
  };
  const lines: [Triple, Triple][] = [];
  for (let i = 0; i <= columns; i++) lines.push([point(i / columns, 0), point(i / columns, 1)]);
  for (let i = 0; i <= rows; i++) lines.push([point(0, i / rows), point(1, i / rows)]);
  return lines;
}

function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

function cornerPoints(min: Triple, max: Triple): Triple[] {
  return [min, max].flatMap(([x]) =>
    [min, max].flatMap(([, y]) => [min, max].map(([, , z]): Triple => [x, y, z])),
  );
}
