import type { Triple } from "./parts.ts";
import { faceCount, type Scene } from "./scene.ts";
import { seenFaces } from "./seams.ts";

/** A border between texels. */
export const texelLine = 0;
/** An edge of a box. */
export const edgeLine = 1;
/** A line at which boxes run into each other (see `Seam`). */
export const seamLine = 2;

/**
 * Lines on a picture, the hidden ones too. What is seen changes at them and nowhere else. There are two sets: all of
 * them, or those at which the texels of a skin make a difference, which mostly are fewer than half.
 */
export type Lines = {
  readonly scene: Scene;
  /** The texels that make a difference; null when these are all lines. */
  readonly texels: Int32Array | null;
  count: number;
  /** Of each line x, y and nearness of one end, then of the other, in pixels. */
  ends: Float64Array;
  /** What each line is, see above; and the number of its box, of a seam that of the seam. */
  kinds: Uint8Array;
  owners: Uint16Array;
};

/** Finds the lines of a scene, or where there are texels, those at which these make a difference. */
export function findLines(scene: Scene, texels: Int32Array | null): Lines {
  const room = 1024;
  const lines: Lines = {
    scene,
    texels,
    count: 0,
    ends: new Float64Array(room * 6),
    kinds: new Uint8Array(room),
    owners: new Uint16Array(room),
  };
  for (const [b, box] of scene.figure.boxes.entries()) {
    for (const [from, to] of box.edges) {
      const at = addLine(lines, edgeLine, b);
      setEnd(lines, at, from);
      setEnd(lines, at + 3, to);
    }
    for (let f = 0; f < seenFaces(box).length; f++) addBorders(lines, b * faceCount + f);
  }
  for (const [i, { from, to }] of scene.figure.seams.entries()) {
    const at = addLine(lines, seamLine, i);
    setEnd(lines, at, [from.x * from.depth, from.y * from.depth, from.depth]);
    setEnd(lines, at + 3, [to.x * to.depth, to.y * to.depth, to.depth]);
  }
  return lines;
}

/** Adds the borders between the columns and between the rows of a face. */
function addBorders(lines: Lines, face: number): void {
  const { scene } = lines;
  const figure = scene.figure.boxes[(face / faceCount) | 0]?.faces[face % faceCount];
  if (!figure) return;
  const { corner, across, down } = figure;
  const first = scene.firstTexels[face] ?? 0;
  const width = scene.sheetWidths[face] ?? 0;
  const columns = (scene.lastColumns[face] ?? 0) + 1;
  const rows = (scene.lastRows[face] ?? 0) + 1;
  const point = (column: number, row: number): Triple => [
    corner[0] + (column / columns) * across[0] + (row / rows) * down[0],
    corner[1] + (column / columns) * across[1] + (row / rows) * down[1],
    corner[2] + (column / columns) * across[2] + (row / rows) * down[2],
  ];
  for (let c = 1; c < columns; c++) {
    const border = { length: rows, texel: first + c, step: width, back: 1 };
    addPieces(lines, face, border, (row) => point(c, row));
  }
  for (let r = 1; r < rows; r++) {
    const border = { length: columns, texel: first + r * width, step: 1, back: width };
    addPieces(lines, face, border, (column) => point(column, r));
  }
}

/** A border: how many texels long, the first texel on its far side, and the ways to the next and to the near side. */
type Border = {
  readonly length: number;
  readonly texel: number;
  readonly step: number;
  readonly back: number;
};

/** Adds the pieces of a border that part texels which differ. */
function addPieces(lines: Lines, face: number, border: Border, pointAt: (place: number) => Triple): void {
  const { texels } = lines;
  const { length, texel, step, back } = border;
  const differs = (i: number) => {
    const at = texel + i * step;
    return texels === null || !isAlike(texels[at - back] ?? 0, texels[at] ?? 0);
  };
  for (let start = 0, end; start < length; start = end + 1) {
    for (end = start; end < length && differs(end);) end = texels === null ? length : end + 1;
    if (end === start) continue;
    const at = addLine(lines, texelLine, (face / faceCount) | 0);
    setEnd(lines, at, pointAt(start));
    setEnd(lines, at + 3, pointAt(end));
  }
}

/** Texels look alike where they are equal, or where no colour of them is seen. */
function isAlike(a: number, b: number): boolean {
  return a === b || (isTransparent(a) && isTransparent(b));
}

function isTransparent(texel = 0): boolean {
  return texel >>> 24 === 0;
}

/** Adds a line; returns where its ends go. */
function addLine(lines: Lines, kind: number, owner: number): number {
  if (lines.count === lines.kinds.length) grow(lines);
  lines.kinds[lines.count] = kind;
  lines.owners[lines.count] = owner;
  return lines.count++ * 6;
}

function grow(lines: Lines): void {
  const { ends, kinds, owners } = lines;
  lines.ends = new Float64Array(ends.length * 2);
  lines.kinds = new Uint8Array(kinds.length * 2);
  lines.owners = new Uint16Array(owners.length * 2);
  lines.ends.set(ends);
  lines.kinds.set(kinds);
  lines.owners.set(owners);
}

/** Sets an end to where a point in the axes of the camera is seen. */
function setEnd({ ends, scene: { framing } }: Lines, at: number, [x, y, depth]: Triple): void {
  const nearness = 1 / depth;
  ends[at] = framing.centreX + framing.zoom * x * nearness;
  ends[at + 1] = framing.centreY + framing.zoom * y * nearness;
  ends[at + 2] = nearness;
}
