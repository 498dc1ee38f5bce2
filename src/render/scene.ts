import { type Camera, cameraFor, type PicturePoint, placed, project, rayThrough } from "./camera.ts";
import { type Face, faceRects, type Model, scaleRect, type Triple } from "./parts.ts";
import { rotate, rotationOf, subtract, transpose } from "./vector.ts";
import { type Bounds, boundsOf, boxesOf, brightness, cornersOf, type PosedBox, type View } from "./views.ts";

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

/** A view set up for one size of picture: its boxes, ready to be met by rays. The opaque ones come first. */
export type Scene = { readonly width: number; readonly height: number; readonly boxes: readonly SceneBox[] };

/** A box in one layer, as rays and edges need it. */
export type SceneBox = {
  /** An opaque box hides what lies behind it, and its inside is never seen. */
  readonly opaque: boolean;
  /** Of two surfaces at one depth that with the lower bias is seen; in model units, far below what can be noticed. */
  readonly bias: number;
  /**
   * For each axis of the box five numbers: the way from the camera to the lesser end of the box and to the greater
   * one, and the ray through pixel (x, y) as base + x * stepX + y * stepY. One array, as every ray reads all of it.
   */
  readonly slabs: Float64Array;
  /** For each axis the face at the lesser and the face at the greater end. */
  readonly faces: readonly SceneFace[];
  /** The box's bounds on the picture, in pixels. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The borders of its texels, as far as they can be seen. */
  readonly borders: readonly Border[];
};

/** A border between texels, as a straight line on the picture. */
export type Border = {
  readonly from: PicturePoint;
  readonly to: PicturePoint;
  /** Whether it ends a face of an opaque box, so that things behind the box may come to light at it. */
  readonly uncovers: boolean;
};

/** A face as the tracer needs it. Texels are numbered through the skin's sheet and then on through the cape's. */
export type SceneFace = {
  readonly firstTexel: number;
  readonly sheetWidth: number;
  readonly columns: TexelAxis;
  readonly rows: TexelAxis;
  /** Brightness seen from outside and from inside, 0 to 255. */
  readonly outerShade: number;
  readonly innerShade: number;
};

/** How texels lie along an axis of the box: at a distance from its lesser end is texel `start + distance * step`. */
export type TexelAxis = {
  readonly axis: Axis;
  readonly count: number;
  readonly start: number;
  readonly step: number;
};

/** An axis of a box: 0 runs to the player's left, 1 up, 2 to the front. */
export type Axis = 0 | 1 | 2;
type Placement = { readonly axis: Axis; readonly atGreaterEnd: boolean } & {
  readonly columns: readonly [Axis, "along" | "against"];
  readonly rows: readonly [Axis, "along" | "against"];
};

/**
 * How each face's rectangle lies on the box (see `faceRects`): across which axis, and along which its columns and rows
 * run. Axis 0 runs to the player's left, 1 up, 2 to the front. In the order of `SceneBox.faces`.
 */
const placements: readonly (readonly [Face, Placement])[] = [
  ["right", { axis: 0, atGreaterEnd: false, columns: [2, "along"], rows: [1, "against"] }],
  ["left", { axis: 0, atGreaterEnd: true, columns: [2, "against"], rows: [1, "against"] }],
  ["bottom", { axis: 1, atGreaterEnd: false, columns: [0, "along"], rows: [2, "along"] }],
  ["top", { axis: 1, atGreaterEnd: true, columns: [0, "along"], rows: [2, "along"] }],
  ["back", { axis: 2, atGreaterEnd: false, columns: [0, "against"], rows: [1, "against"] }],
  ["front", { axis: 2, atGreaterEnd: true, columns: [0, "along"], rows: [1, "against"] }],
];
const biasStep = 1e-4;

/** Places the boxes of a view before its camera. */
export function buildScene(key: SceneKey): Scene {
  const camera = cameraFor(key.view, key.width);
  const boxes = boxesOf(key.view, key.model).map((box, i) => sceneBox(box, i * biasStep, camera, key));
  boxes.sort((a, b) => Number(b.opaque) - Number(a.opaque));
  return { width: key.width, height: key.width * key.view.aspect, boxes };
}

function sceneBox(box: PosedBox, bias: number, camera: Camera, key: SceneKey): SceneBox {
  const bounds = boundsOf(box);
  const corners = cornersOf(bounds).map((corner) => project(camera, placed(box, corner)));
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const faces = placements.map(([face, placement]) => sceneFace(box, face, placement, key));
  return {
    opaque: box.layer === "first",
    bias,
    slabs: slabsOf(box, bounds, camera),
    faces,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
    borders: bordersOf(box, bounds, camera, faces),
  };
}

function sceneFace(box: PosedBox, face: Face, placement: Placement, key: SceneKey): SceneFace {
  const { axis, atGreaterEnd, columns, rows } = placement;
  const { part, layer, turn } = box;
  const onCape = part.name === "cape";
  const scale = onCape ? key.capeScale : key.skinScale;
  const rect = scaleRect(faceRects(part, layer)[face], scale);
  const outwards = rotate(rotationOf(turn), unitVector(axis, atGreaterEnd ? 1 : -1));
  const inwards: Triple = [-outwards[0], -outwards[1], -outwards[2]];
  const texelAxis = ([along, direction]: Placement["columns"], count: number): TexelAxis => {
    const { min, max } = boundsOf(box);
    const step = count / (max[along] - min[along]);
    return direction === "along"
      ? { axis: along, count, start: 0, step }
      : { axis: along, count, start: count, step: -step };
  };
  return {
    firstTexel: (onCape ? (64 * key.skinScale) ** 2 : 0) + rect.y * 64 * scale + rect.x,
    sheetWidth: 64 * scale,
    columns: texelAxis(columns, rect.width),
    rows: texelAxis(rows, rect.height),
    outerShade: Math.round(255 * brightness(outwards, key.view)),
    innerShade: Math.round(255 * brightness(inwards, key.view)),
  };
}

function slabsOf({ part, turn }: PosedBox, { min, max }: Bounds, camera: Camera): Float64Array {
  const intoBox = transpose(rotationOf(turn));
  const eye = rotate(intoBox, subtract(camera.eye, part.pivot));
  const { base, stepX, stepY } = rayThrough(camera);
  const [rayBase, rayStepX, rayStepY] = [
    rotate(intoBox, base),
    rotate(intoBox, stepX),
    rotate(intoBox, stepY),
  ];
  const slab = (i: Axis) => {
    const from = eye[i] + part.pivot[i];
    return [min[i] - from, max[i] - from, rayBase[i], rayStepX[i], rayStepY[i]];
  };
  return Float64Array.from([...slab(0), ...slab(1), ...slab(2)]);
}

/** Of an opaque box only the faces that look at the camera can be seen. */
function bordersOf(box: PosedBox, bounds: Bounds, camera: Camera, faces: readonly SceneFace[]): Border[] {
  const opaque = box.layer === "first";
  const slabs = slabsOf(box, bounds, camera);
  const isTowards = ({ axis, atGreaterEnd }: Placement) =>
    atGreaterEnd ? (slabs[axis * 5 + 1] ?? 0) < 0 : (slabs[axis * 5] ?? 0) > 0;
  return placements.flatMap(([, placement], i) => {
    const face = faces[i];
    if (!face || (opaque && !isTowards(placement))) return [];
    const at = pointsOf(placement, face, bounds);
    const seen = (column: number, row: number) => project(camera, placed(box, at(column, row)));
    const { columns, rows } = face;
    const borders: Border[] = [];
    for (let i = 0; i <= columns.count; i++) {
      const uncovers = opaque && (i === 0 || i === columns.count);
      borders.push({ from: seen(i, 0), to: seen(i, rows.count), uncovers });
    }
    for (let i = 0; i <= rows.count; i++) {
      const uncovers = opaque && (i === 0 || i === rows.count);
      borders.push({ from: seen(0, i), to: seen(columns.count, i), uncovers });
    }
    return borders;
  });
}

/** Where a corner of a texel lies in the box's own axes, by its column and row. */
function pointsOf({ axis, atGreaterEnd }: Placement, { columns, rows }: SceneFace, { min, max }: Bounds) {
  return (column: number, row: number): Triple => {
    const at: [number, number, number] = [...min];
    if (atGreaterEnd) at[axis] = max[axis];
    at[columns.axis] += (column / columns.count) * (max[columns.axis] - min[columns.axis]);
    at[rows.axis] += (row / rows.count) * (max[rows.axis] - min[rows.axis]);
    return at;
  };
}

function unitVector(axis: Axis, length: 1 | -1): Triple {
  return [axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0];
}
