import { type Framing, framingOf } from "./camera.ts";
import type { FigureFace } from "./figure-box.ts";
import { type Figure, figureFor } from "./figure.ts";
import type { Model } from "./parts.ts";
import type { View } from "./views.ts";

/** What the geometry of a picture depends on; never on what the textures show. */
export type SceneKey = {
  readonly view: View;
  /** Width of the picture in pixels. */
  readonly width: number;
  /** And its height; left out: as the view has it. */
  readonly height?: number;
  readonly model: Model;
  /** Texels per model unit of the skin, and of the cape where the view shows one. */
  readonly skinScale: number;
  readonly capeScale: number;
};

/**
 * A figure in pixels and texels: one view, one size of picture and of textures. Face f of box b is face 6 b +
 * f. All that inner loops read lies in flat arrays by the number of the box or of the face: with an object
 * for each face, the ways from object to object and the bookkeeping of the memory took as long again as the
 * arithmetic.
 */
export type Scene = {
  readonly width: number;
  readonly height: number;
  readonly figure: Figure;
  readonly framing: Framing;
  readonly boxCount: number;
  /** Each box has: 1 for the first layer; how many faces look at the camera; its bias (see `FigureBox`). */
  readonly opaque: Uint8Array;
  readonly towards: Uint8Array;
  readonly biases: Float64Array;
  /** The least rectangle around each box in pixels: left, right, top, bottom. */
  readonly frames: Float64Array;
  /**
   * Each face has nine numbers: its nearness in the picture's upper left corner, the steps of the nearness by
   * x and by y, and the same of the column times the nearness and of the row times the nearness.
   */
  readonly planes: Float64Array;
  /** How much the nearness of each face differs inside a pixel from that in its middle, at most. */
  readonly slacks: Float64Array;
  /** Each face has: its first texel, counted through the skin's sheet and then through the cape's; */
  readonly firstTexels: Int32Array;
  /** its last column, its last row, and how many texels its sheet is wide; */
  readonly lastColumns: Int32Array;
  readonly lastRows: Int32Array;
  readonly sheetWidths: Int32Array;
  /** brightness, 0 to 255. */
  readonly shades: Uint8Array;
  /** The two faces of each seam. */
  readonly seamFaces: Int16Array;
};

/** Numbers of a face in `planes`. */
export const planeSize = 9;
/** Faces of a box. */
export const faceCount = 6;

/** Sets a view up for a picture. */
export function buildScene(key: SceneKey): Scene {
  const { width, view, model, height = width * view.aspect } = key;
  const figure = figureFor(view, model);
  const { boxes } = figure;
  const faces = boxes.length * faceCount;
  const scene: Scene = {
    width,
    height,
    figure,
    framing: framingOf(figure.frame, width, height),
    boxCount: boxes.length,
    opaque: Uint8Array.from(boxes, (box) => Number(box.opaque)),
    towards: Uint8Array.from(boxes, (box) => box.towards),
    biases: Float64Array.from(boxes, (box) => box.bias),
    frames: new Float64Array(boxes.length * 4),
    planes: new Float64Array(faces * planeSize),
    slacks: new Float64Array(faces),
    firstTexels: new Int32Array(faces),
    lastColumns: new Int32Array(faces),
    lastRows: new Int32Array(faces),
    sheetWidths: new Int32Array(faces),
    shades: new Uint8Array(faces),
    seamFaces: Int16Array.from(
      figure.seams.flatMap((seam) => seam.faces.map(([box, face]) => box * faceCount + face)),
    ),
  };
  const skinSheet = { scale: key.skinScale, firstTexel: 0 };
  const capeSheet = { scale: key.capeScale, firstTexel: (64 * key.skinScale) ** 2 };
  for (const [b, box] of boxes.entries()) {
    setFrame(scene, b);
    const sheet = box.part.sheet === "cape" ? capeSheet : skinSheet;
    for (const [f, face] of box.faces.entries()) setFace(scene, b * faceCount + f, face, sheet);
  }
  return scene;
}

function setFrame({ frames, framing, figure }: Scene, number: number): void {
  const box = figure.boxes[number];
  if (!box) return;
  const { zoom, centreX, centreY } = framing;
  const { left, right, top, bottom } = box.frame;
  frames.set(
    [left, right].map((x) => centreX + zoom * x),
    number * 4,
  );
  frames.set(
    [top, bottom].map((y) => centreY + zoom * y),
    number * 4 + 2,
  );
}

type Sheet = { readonly scale: number; readonly firstTexel: number };

function setFace(scene: Scene, number: number, { rect, plane, shade }: FigureFace, sheet: Sheet): void {
  const { planes, slacks, framing } = scene;
  const { scale, firstTexel } = sheet;
  for (const [i, [byX, byY, base]] of plane.entries()) {
    const texels = i === 0 ? 1 : scale;
    const [stepX, stepY] = [(texels * byX) / framing.zoom, (texels * byY) / framing.zoom];
    const corner = texels * base - stepX * framing.centreX - stepY * framing.centreY;
    planes.set([corner, stepX, stepY], number * planeSize + i * 3);
    if (i === 0) slacks[number] = (Math.abs(stepX) + Math.abs(stepY)) / 2;
  }
  const sheetWidth = 64 * scale;
  scene.firstTexels[number] = firstTexel + rect.y * scale * sheetWidth + rect.x * scale;
  scene.lastColumns[number] = rect.width * scale - 1;
  scene.lastRows[number] = rect.height * scale - 1;
  scene.sheetWidths[number] = sheetWidth;
  scene.shades[number] = shade;
}

/** 1 / depth where a ray meets the plane of a face. */
export function nearnessOf({ planes }: Scene, face: number, x: number, y: number): number {
  const at = face * planeSize;
  return (planes[at] ?? 0) + x * (planes[at + 1] ?? 0) + y * (planes[at + 2] ?? 0);
}

/** The texel of a face that a ray meets. Rounding may put it just beyond the face, hence the bounds. */
export function texelAt(scene: Scene, face: number, x: number, y: number): number {
  const { planes } = scene;
  const at = face * planeSize;
  const depth = 1 / ((planes[at] ?? 0) + x * (planes[at + 1] ?? 0) + y * (planes[at + 2] ?? 0));
  // The fraction is cut off towards zero, so what rounding put below the first texel is put right, too.
  const column =
    (((planes[at + 3] ?? 0) + x * (planes[at + 4] ?? 0) + y * (planes[at + 5] ?? 0)) * depth) | 0;
  const row = (((planes[at + 6] ?? 0) + x * (planes[at + 7] ?? 0) + y * (planes[at + 8] ?? 0)) * depth) | 0;
  return (
    (scene.firstTexels[face] ?? 0) +
    Math.min(row, scene.lastRows[face] ?? 0) * (scene.sheetWidths[face] ?? 0) +
    Math.min(column, scene.lastColumns[face] ?? 0)
  );
}
