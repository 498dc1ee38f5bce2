import { type Camera, inCamera } from "../../render/camera.ts";
import {
  type Direction,
  type Face,
  faceRects,
  faces,
  placementOf,
  type Rect,
  type Triple,
} from "../../render/parts.ts";
import { add, dot, scale, subtract } from "../../render/vector.ts";
import { brightness, type View } from "../../render/views.ts";
import type { PlacedBox } from "./placed-boxes.ts";
import { backToFront, type Corner, type Polygon } from "./polygons.ts";

/**
 * Numbers of a corner: its point, its texel, its face's rectangle; brightness, whether it is the cape's,
 * bias.
 */
export const cornerSize = 12;
/** More corners than the triangles of a player with cape and wings have, however he moves. */
export const cornersMax = 6144;

/**
 * Triangles as the graphics processor takes them: the opaque ones, then the others in the order in which they
 * are painted.
 */
export type Mesh = {
  readonly numbers: Float32Array;
  /** How many corners it has, and how many of them are of opaque triangles. */
  corners: number;
  opaqueCorners: number;
};

/** Makes room for a figure. */
export function createMesh(): Mesh {
  return { numbers: new Float32Array(cornersMax * cornerSize), corners: 0, opaqueCorners: 0 };
}

/** What is needed to see: the camera of a view, and the view itself for its lamp. */
export type Eye = { readonly camera: Camera; readonly view: View };

/** What all corners of a face have in common. */
type Side = { readonly rect: Rect; readonly shade: number; readonly isCape: boolean };

/**
 * Puts what can be seen of boxes into the mesh: of opaque ones their outside, of others their inside as well.
 */
export function fillMesh(mesh: Mesh, boxes: readonly PlacedBox[], eye: Eye): void {
  mesh.corners = 0;
  const { camera } = eye;
  for (const box of boxes)
    if (box.isOpaque) for (const side of sidesOf(box, eye)) addPolygon(mesh, side, camera);
  mesh.opaqueCorners = mesh.corners;
  const others = boxes.flatMap((box) => (box.isOpaque ? [] : sidesOf(box, eye)));
  for (const polygon of backToFront(others, camera.eye)) addPolygon(mesh, polygon, camera);
}

function sidesOf(box: PlacedBox, { camera, view }: Eye): Polygon<Side>[] {
  const rects = faceRects(box.part, box.isOpaque ? "first" : "second");
  const isCape = box.part.sheet === "cape";
  return faces.flatMap((name) => {
    const normal = along(box.axes, placementOf(box.part, name).outwards);
    const corners = cornersOf(box, name, rects[name]);
    const level = dot(normal, corners[0].point);
    const isTowards = dot(normal, camera.eye) > level;
    if (box.isOpaque && !isTowards) return [];
    const shade = brightness(isTowards ? normal : scale(normal, -1), view);
    return [{ corners, normal, level, bias: box.bias, owner: { rect: rects[name], shade, isCape } }];
  });
}

/** The four corners of a face, round it. */
function cornersOf(
  box: PlacedBox,
  name: Face,
  { x, y, width, height }: Rect,
): readonly [Corner, ...Corner[]] {
  const { outwards, columns, rows } = placementOf(box.part, name);
  let start = box.corner;
  if (outwards[1] === "along") start = add(start, box.edges[outwards[0]]);
  for (const [axis, way] of [columns, rows]) if (way === "against") start = add(start, box.edges[axis]);
  const [across, down] = [along(box.edges, columns), along(box.edges, rows)];
  return [
    { point: start, texel: [x, y] },
    { point: add(start, across), texel: [x + width, y] },
    { point: add(add(start, across), down), texel: [x + width, y + height] },
    { point: add(start, down), texel: [x, y + height] },
  ];
}

function addPolygon(mesh: Mesh, { corners, bias, owner }: Polygon<Side>, camera: Camera): void {
  const { rect, shade, isCape } = owner;
  const shared = [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height, shade, isCape ? 1 : 0, bias];
  const ends = corners.map(({ point, texel }) => [
    ...inCamera(camera, subtract(point, camera.eye)),
    ...texel,
    ...shared,
  ]);
  const [first = []] = ends;
  for (let i = 2; i < ends.length && mesh.corners + 3 <= cornersMax; i++) {
    for (const end of [first, ends[i - 1] ?? first, ends[i] ?? first]) {
      mesh.numbers.set(end, mesh.corners++ * cornerSize);
    }
  }
}

function along(axes: readonly [Triple, Triple, Triple], [axis, way]: Direction): Triple {
  return way === "along" ? axes[axis] : scale(axes[axis], -1);
}
