import { texelLine } from "./lines.ts";
import { isFlat, linesIn, markRows, seamSeen } from "./marks.ts";
import { lookClosely, mixPixel, mixSides, type Sink, startWalk, type Walk } from "./mix.ts";
import type { Scene } from "./scene.ts";
import { aimAt, aimAtRow, type Tracer, traceRay } from "./trace.ts";
import { walkClosely } from "./walk-closely.ts";

/**
 * How a 3D picture comes about. A pixel is the mean of sixteen rays into the scene, but few pixels need
 * sixteen rays. What is seen changes at lines only: at the edges of boxes, at the borders between texels, and
 * at the seams where boxes run into each other. So the picture is walked through in these steps, some rows at
 * a time:
 *
 * 1. Find the lines of the scene (`lines.ts`). A skin's texels are known when a picture is drawn directly;
 *    then borders between texels of the same colour are left out, which are more than half of them in most
 *    skins.
 * 2. Mark the pixels that each line touches (`marks.ts`), unless an opaque box covers the line there
 *    (`covers.ts`).
 * 3. Fill the runs of pixels that no line touches. They look the same, so one ray serves them all; no ray is
 *    needed where the row above has such a pixel next to them (`findFlats`).
 * 4. Mix each pixel that one line touches, or two, from one ray for each side of the lines (`mixSides`).
 * 5. Mix every other pixel exactly: work out which samples meet which surface (`surfaces.ts`), with no ray
 *    for each.
 * 6. Go back to the pixels that the lines of a skin do not settle, with all lines of the scene
 *    (`walk-closely.ts`): those with a seam, and translucent ones, in which the rounding depends on how many
 *    stacks of texels there are.
 *
 * What is found goes to a sink, which draws it (`draw.ts`) or keeps it as a plan for later pictures
 * (`plan.ts`). Without texels, for a plan, all lines count.
 */
export function walkScene(scene: Scene, sink: Sink, texels: Int32Array | null): void {
  const walk = startWalk(scene, sink, texels);
  const { marks, tracer } = walk;
  while (marks.bottom < scene.height) {
    markRows(marks, marks.bottom);
    for (let y = marks.top; y < marks.bottom; y++) {
      aimAtRow(tracer, y);
      if (tracer.rowCount > 0) walkRow(walk, y);
    }
    walkClosely(walk);
  }
}

function walkRow(walk: Walk, y: number): void {
  const { scene, marks, tracer, sink } = walk;
  const { words } = marks;
  const { start, end } = boundsOf(tracer);
  findFlats(walk, y, start, end);
  const { looks } = walk.row;
  const row = (y - marks.top) * scene.width;
  for (let x = start; x < end;) {
    const from = x;
    let word = words[row + x++] ?? 0;
    if (linesIn(word) > 0) {
      mixLines(walk, from, y);
      continue;
    }
    for (; x < end && linesIn(words[row + x] ?? 0) === 0; x++) word |= words[row + x] ?? 0;
    const look = looks[from] ?? 0;
    if ((word & seamSeen) !== 0 || (walk.allMarks !== marks && sink.isVague(look)))
      lookClosely(walk, y, from, x);
    else if (look !== 0) sink.run(y * scene.width + from, x - from, look);
  }
}

/** Mixes a pixel that lines touch. */
function mixLines(walk: Walk, x: number, y: number): void {
  const { marks, scene } = walk;
  const local = (y - marks.top) * scene.width + x;
  const word = marks.words[local] ?? 0;
  const count = linesIn(word);
  const hasSeam = (word & seamSeen) !== 0;
  if (count < 3 && !hasSeam) mixSides(walk, x, y);
  else if (count === 1 && marks.lines.kinds[marks.firsts[local] ?? 0] === texelLine)
    lookClosely(walk, y, x, x + 1);
  else mixPixel(walk, marks, x, y);
}

/**
 * The columns where boxes of the current row are visible. They are whole numbers, cut off by `|`, and not in
 * an array: that would make them floating point to the compiler, and counting in that takes five times as
 * long.
 */
function boundsOf({ scene, rowBoxes, rowCount }: Tracer): { start: number; end: number } {
  let left = scene.width;
  let right = 0;
  for (let i = 0; i < rowCount; i++) {
    const box = rowBoxes[i] ?? 0;
    left = Math.min(left, scene.frames[box * 4] ?? 0);
    right = Math.max(right, scene.frames[box * 4 + 1] ?? 0);
  }
  return { start: Math.max(0, left | 0), end: Math.min(scene.width, (right | 0) + 1) };
}

/** Finds the looks of the pixels of a row that no line touches: from such a pixel above, or else by a ray. */
function findFlats(walk: Walk, y: number, start: number, end: number): void {
  const { scene, marks, above: row, row: above } = walk;
  const { words } = marks;
  const { looks, isFlat: flats } = row;
  const { looks: looksAbove, isFlat: flatsAbove } = above;
  walk.row = row;
  walk.above = above;
  looks.fill(0);
  flats.fill(1);
  const first = (y - marks.top) * scene.width;
  for (let x = start; x < end;) {
    if (!isFlat(words[first + x] ?? 0)) {
      flats[x++] = 0;
      continue;
    }
    const from = x;
    let known = -1;
    for (; x < end && isFlat(words[first + x] ?? 0); x++) if (known < 0 && flatsAbove[x] === 1) known = x;
    const look = known < 0 ? lookAtMiddle(walk, from, y) : (looksAbove[known] ?? 0);
    if (look !== 0) for (let i = from; i < x; i++) looks[i] = look;
  }
}

function lookAtMiddle({ tracer, stacks, sink }: Walk, x: number, y: number): number {
  aimAt(tracer, x);
  traceRay(tracer, stacks[0], x + 0.5, y + 0.5);
  return sink.look(stacks[0]);
}
