/**
 * Draws the 3D views a second way, for comparison: every texel as a polygon of an SVG, painted back to front
 * by resvg. The projection, the framing and the order of the boxes are worked out here again, from the facts;
 * only the pose, the camera's angles and the brightness of a face come from the table of views, because they
 * are choices, not facts.
 */
import { Resvg } from "@resvg/resvg-js";
import type { Canvas } from "../../src/render/bitmap.ts";
import { brightness, type View } from "../../src/render/views.ts";
import { type Arms, boxFacts, capeFacts, type FaceName, faceNames, type LayerName, rectOf } from "./facts.ts";
import { type ReadPng, readPng } from "./png-reader.ts";

type Vector = readonly [number, number, number];
type Point = readonly [x: number, y: number];
type Box = { name: string; layer: LayerName; min: Vector; max: Vector; pivot: Vector };
export type OracleScene = {
  view: View;
  width: number;
  skin: Canvas;
  arms: Arms;
  cape?: Canvas;
  /**
   * What is painted, from the farthest to the nearest. Of a box around another its inside comes first, then
   * that.
   */
  order: readonly (readonly [part: string, layer: LayerName, side: "outside" | "inside"])[];
};

const radians = (degrees = 0) => (degrees * Math.PI) / 180;
const capeBox: Box = { name: "cape", layer: "first", min: [-5, 8, -2], max: [5, 24, -1], pivot: [0, 24, -2] };

/**
 * Each face by its upper left corner on the sheet and where its columns and rows lead, as ends of the three
 * axes.
 */
const corners: Readonly<
  Record<FaceName, { origin: string; columnEnd: string; rowEnd: string; normal: Vector }>
> = {
  top: { origin: "rub", columnEnd: "lub", rowEnd: "ruf", normal: [0, 1, 0] },
  bottom: { origin: "rdb", columnEnd: "ldb", rowEnd: "rdf", normal: [0, -1, 0] },
  right: { origin: "rub", columnEnd: "ruf", rowEnd: "rdb", normal: [-1, 0, 0] },
  front: { origin: "ruf", columnEnd: "luf", rowEnd: "rdf", normal: [0, 0, 1] },
  left: { origin: "luf", columnEnd: "lub", rowEnd: "ldf", normal: [1, 0, 0] },
  back: { origin: "lub", columnEnd: "rub", rowEnd: "ldb", normal: [0, 0, -1] },
};

export function drawOracle(scene: OracleScene): ReadPng {
  return readPng(new Uint8Array(new Resvg(oracleSvg(scene), { shapeRendering: 0 }).render().asPng()));
}

export function oracleSvg(scene: OracleScene): string {
  const { view, width } = scene;
  const height = width * view.aspect;
  const toPicture = framing(view, width);
  const shapes = scene.order.flatMap(([name, layer, side]) => {
    const box = boxOf(name, layer, scene.arms);
    return faceNames.flatMap((face) => faceShapes(scene, box, face, { side, toPicture }));
  });
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} shape-rendering="crispEdges">${shapes.join("")}</svg>`;
}

function boxOf(name: string, layer: LayerName, arms: Arms): Box {
  if (name === "cape") return capeBox;
  const fact = boxFacts.find((box) => box.name === name && box.arms === arms)!;
  const grow = layer === "second" ? fact.grow : 0;
  const [x, y, z] = fact.from;
  const [w, h, d] = fact.size;
  const min: Vector = [x - grow, y - grow, z - grow];
  return { name, layer, min, max: [x + w + grow, y + h + grow, z + d + grow], pivot: fact.pivot };
}

function turned(view: View, { name, pivot }: Pick<Box, "name" | "pivot">, [x, y, z]: Vector): Vector {
  const turn = view.pose[name as keyof View["pose"]] ?? {};
  const [a, b, c] = [radians(turn.pitch), radians(turn.yaw), radians(turn.roll)];
  let p: Vector = [x - pivot[0], y - pivot[1], z - pivot[2]];
  p = [p[0], p[1] * Math.cos(a) - p[2] * Math.sin(a), p[1] * Math.sin(a) + p[2] * Math.cos(a)];
  p = [p[0] * Math.cos(b) + p[2] * Math.sin(b), p[1], p[2] * Math.cos(b) - p[0] * Math.sin(b)];
  p = [p[0] * Math.cos(c) - p[1] * Math.sin(c), p[0] * Math.sin(c) + p[1] * Math.cos(c), p[2]];
  return [p[0] + pivot[0], p[1] + pivot[1], p[2] + pivot[2]];
}

/**
 * Turns the world before a camera that stands still: first about y, then about x, then the division by the
 * depth.
 */
function seen(view: View, [x, y, z]: Vector): Point {
  const [yaw, pitch] = [radians(view.yaw), radians(view.pitch)];
  const [dx, dy, dz] = [x - view.target[0], y - view.target[1], z - view.target[2]];
  const across = dx * Math.cos(yaw) - dz * Math.sin(yaw);
  const towards = dx * Math.sin(yaw) + dz * Math.cos(yaw);
  const up = dy * Math.cos(pitch) - towards * Math.sin(pitch);
  const depth = view.distance - (towards * Math.cos(pitch) + dy * Math.sin(pitch));
  return [across / depth, -up / depth];
}

function framing(view: View, width: number): (point: Vector) => Point {
  const boxes = view.parts.flatMap((name) =>
    name === "cape"
      ? [capeBox]
      : (["first", "second"] as const).map((layer) => boxOf(name, layer, "classic")),
  );
  const points = boxes.flatMap((box) => {
    const ends = [box.min, box.max];
    return ends.flatMap(([x]) =>
      ends.flatMap(([, y]) => ends.map(([, , z]) => seen(view, turned(view, box, [x, y, z])))),
    );
  });
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const height = width * view.aspect;
  const margin = Math.max(1, 0.03 * width);
  const zoom = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (bottom - top));
  return (point) => {
    const [x, y] = seen(view, point);
    return [width / 2 + (x - (left + right) / 2) * zoom, height / 2 + (y - (top + bottom) / 2) * zoom];
  };
}

type Sight = { side: "outside" | "inside"; toPicture: (point: Vector) => Point };

function faceShapes(scene: OracleScene, box: Box, face: FaceName, { side, toPicture }: Sight): string[] {
  const { view } = scene;
  const sheet = box.name === "cape" ? scene.cape! : scene.skin;
  const scale = sheet.width / 64;
  const rect =
    box.name === "cape" ? capeFacts[faceNames.indexOf(face)]! : rectOf(scene.arms, box.name, box.layer, face);
  const [left, top, columns, rows] = rect.map((value) => value * scale) as [number, number, number, number];
  const { origin, columnEnd, rowEnd, normal } = corners[face];
  const corner = ([x, y, z]: string): Vector => [
    x === "l" ? box.max[0] : box.min[0],
    y === "u" ? box.max[1] : box.min[1],
    z === "f" ? box.max[2] : box.min[2],
  ];
  const [o, c, r] = [corner(origin), corner(columnEnd), corner(rowEnd)];
  const at = (i: number, j: number) =>
    toPicture(
      turned(
        view,
        box,
        [0, 1, 2].map((k) => o[k]! + ((c[k]! - o[k]!) * i) / columns + ((r[k]! - o[k]!) * j) / rows) as never,
      ),
    );
  if ((side === "outside") !== isClockwise(face, [at(0, 0), at(columns, 0), at(columns, rows)])) return [];
  const outwards = turned(view, { name: box.name, pivot: [0, 0, 0] }, normal);
  const shade = brightness(side === "outside" ? outwards : (outwards.map((value) => -value) as never), view);
  const shapes: string[] = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const texel = sheet.words[(top + j) * sheet.width + left + i]!;
      const points = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      if (texel >>> 24) shapes.push(polygon(points, texel, shade));
    }
  }
  return shapes;
}

/**
 * Seen from outside, a face's upper corners and lower right one go round clockwise; only the bottom is a
 * mirror.
 */
function isClockwise(face: FaceName, [a, b, c]: readonly [Point, Point, Point]): boolean {
  const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  return face === "bottom" ? turn < 0 : turn > 0;
}

function polygon(points: readonly Point[], texel: number, shade: number): string {
  const channels = [texel & 255, (texel >>> 8) & 255, (texel >>> 16) & 255].map((value) =>
    Math.round(value * shade),
  );
  const place = points.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
  return `<polygon points="${place}" fill="rgb(${channels.join()})" fill-opacity="${(texel >>> 24) / 255}"/>`;
}
