import { isFlat, linesIn, markRows, seamSeen } from "./marks.ts";
import { mixLines } from "./mix-sides.ts";
import type { Scene } from "./scene.ts";
import { aimAt, aimAtRow, type Tracer, traceRay } from "./trace.ts";
import { walkClosely } from "./walk-closely.ts";
import { lookClosely, type Sink, startWalk, type Walk } from "./walk-state.ts";

/**
 * Goes through all pixels of a scene. What is seen changes at lines only, so the pixels that no line touches look like
 * those that they touch, and one ray serves for all of them. In a pixel with one line or two, samples on the same sides
 * look the same. Where there are more lines, or boxes run into each other, the pixel's samples are looked at one by one.
 * With the texels of a skin, lines at which these make no difference are left out, which are more than half of most skins'.
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

/**
 * The columns in which the boxes of the row at hand can be seen. Whole numbers, cut off by `|`, and not in an array: it
 * would make them floating point to the compiler, and counting in that takes five times as long.
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

/** Finds how the pixels of a row look that no line touches: as one above that is so, else a ray is sent. */
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
