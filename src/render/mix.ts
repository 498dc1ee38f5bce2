import { findLines, type Lines } from "./lines.ts";
import { createMarks, linesIn, type Marks } from "./marks.ts";
import {
  allSamples,
  countSamples,
  firstSample,
  positiveSamples,
  sampleCount,
  samplesX,
  samplesY,
} from "./samples.ts";
import type { Scene } from "./scene.ts";
import { createSurfaces, findTexels, meetBoxes, stackAt, type Surfaces } from "./surfaces.ts";
import { aimAt, createStack, createTracer, isSameStack, type Stack, type Tracer, traceRay } from "./trace.ts";

/**
 * A picture is drawn at once, or kept as a plan. Sinks are classes, not objects with closures: the compiler
 * knows a class's methods again in the next picture, while new closures made it drop its code each time.
 */
export type Sink = {
  /**
   * The look of a stack: its colour, or a number of its own. The empty stack looks like 0, the background.
   */
  look(stack: Stack): number;
  /** Whether a mix of different stacks that all look so can differ from one of them alone. */
  isVague(look: number): boolean;
  /** Takes a run of pixels that look the same. */
  run(pixel: number, length: number, look: number): void;
  /** Takes a pixel that lines divide into shares. */
  mix(pixel: number, shares: Shares): void;
  /**
   * Takes a pixel with these surfaces, if all texels that show in it are opaque or clear; returns whether it
   * did.
   */
  mixOpaque(pixel: number, surfaces: Surfaces): boolean;
};

/** The looks in a pixel, and how many samples have each: the first `count` entries. */
export type Shares = { count: number; readonly looks: Int32Array; readonly samples: Int32Array };

/** The looks of the pixels that no line touches, in a row. */
export type Flats = { readonly looks: Int32Array; readonly isFlat: Uint8Array };

/** A walk through the pixels of a scene. */
export type Walk = {
  readonly scene: Scene;
  readonly sink: Sink;
  /** The marks of the lines that make a difference. */
  readonly marks: Marks;
  /** The marks of all lines: the same, or a second set that is made when it is first needed. */
  allMarks: Marks | null;
  readonly tracer: Tracer;
  readonly stacks: readonly [Stack, Stack, Stack];
  readonly surfaces: Surfaces;
  readonly shares: Shares;
  readonly sides: Sides;
  row: Flats;
  above: Flats;
  /** Runs of pixels that need all lines: for each y, its first x, and the x after its last. */
  readonly closely: number[];
};

/**
 * The one or two lines that divide the current pixel, and the looks of their sides as far as they are known.
 * A side has a number: bit i is set where the linear function of line i is not positive. The function is 0 on
 * the line.
 */
export type Sides = {
  x: number;
  y: number;
  /** The first line, and how many there are. */
  line: number;
  count: number;
  /** The value of each line's function in the middle of the pixel, and its steps from pixel to pixel. */
  readonly middles: Float64Array;
  readonly stepsX: Float64Array;
  readonly stepsY: Float64Array;
  /** The look of each side, and which sides' looks are known. */
  readonly looks: Int32Array;
  known: number;
};

/** Starts a walk. With the texels of a skin it leaves out the lines at which these make no difference. */
export function startWalk(scene: Scene, sink: Sink, texels: Int32Array | null): Walk {
  const marks = createMarks(findLines(scene, texels));
  return {
    scene,
    sink,
    marks,
    allMarks: texels === null ? marks : null,
    tracer: createTracer(scene),
    stacks: [createStack(scene), createStack(scene), createStack(scene)],
    surfaces: createSurfaces(scene),
    shares: { count: 0, looks: new Int32Array(sampleCount), samples: new Int32Array(sampleCount) },
    sides: createSides(),
    row: createFlats(scene),
    above: createFlats(scene),
    closely: [],
  };
}

function createFlats({ width }: Scene): Flats {
  return { looks: new Int32Array(width), isFlat: new Uint8Array(width).fill(1) };
}

function createSides(): Sides {
  return {
    x: -1,
    y: -1,
    line: 0,
    count: 0,
    middles: new Float64Array(2),
    stepsX: new Float64Array(2),
    stepsY: new Float64Array(2),
    looks: new Int32Array(4),
    known: 0,
  };
}

/** Puts pixels from `start` to before `end` on the list of those that need all lines. */
export function lookClosely({ closely }: Walk, y: number, start: number, end: number): void {
  closely.push(y, start, end);
}

/** Mixes a pixel exactly, from what each of its samples shows. */
export function mixPixel(walk: Walk, marks: Marks, x: number, y: number): void {
  const { tracer, surfaces, sink, scene } = walk;
  const pixel = y * scene.width + x;
  aimAt(tracer, x);
  surfaces.x = x;
  surfaces.y = y;
  surfaces.mark = marks.words[pixel - marks.firstRow * scene.width] ?? 0;
  meetBoxes(surfaces, tracer);
  if (!sink.mixOpaque(pixel, surfaces)) mixStacks(walk, pixel);
}

/**
 * Mixes the stacks of the current pixel. If they are all the same they are one share: a mean could round its
 * colour.
 */
function mixStacks({ surfaces, sink, shares, stacks }: Walk, pixel: number): void {
  const [first, other] = stacks;
  findTexels(surfaces);
  let isSame = true;
  shares.count = 0;
  for (let rest = allSamples; rest !== 0;) {
    const stack = shares.count === 0 ? first : other;
    const alike = stackAt(surfaces, stack, rest);
    isSame &&= isSameStack(stack, first);
    addShare(shares, sink.look(stack), countSamples(alike));
    rest &= ~alike;
  }
  if (isSame) shares.count = 1;
  sink.mix(pixel, shares);
}

/** Mixes a pixel that one line divides, or two: all samples on the same sides of them look the same. */
export function mixSides(walk: Walk, x: number, y: number): void {
  const { sides, shares } = walk;
  placeLines(walk, walk.marks, x, y);
  const { count } = sides;
  askNeighbours(walk);
  const one = positiveSide(sides, 0);
  const other = count === 2 ? positiveSide(sides, 1) : allSamples;
  shares.count = 0;
  for (let side = 0; side < 2 * count; side++) {
    const mask = ((side & 1) === 0 ? one : ~one) & ((side & 2) === 0 ? other : ~other) & allSamples;
    if (mask !== 0) addShare(shares, lookOfSide(walk, side, mask), countSamples(mask));
  }
  finish(walk, x, y);
}

/** Places the one or two lines of a pixel against its middle. */
export function placeLines({ sides }: Walk, marks: Marks, x: number, y: number): void {
  const { words, lines, firsts, seconds, firstRow } = marks;
  const local = (y - firstRow) * lines.scene.width + x;
  const line = firsts[local] ?? 0;
  const count = linesIn(words[local] ?? 0);
  // Along a line the sides look as in the pixel before. At 256 pixels and more that saves a tenth.
  const isNext =
    count === 1 && sides.count === 1 && sides.line === line && sides.x === x - 1 && sides.y === y;
  if (!isNext) sides.known = 0;
  sides.x = x;
  sides.y = y;
  sides.line = line;
  sides.count = count;
  placeLine(sides, 0, lines, line);
  if (sides.count === 2) placeLine(sides, 1, lines, seconds[local] ?? 0);
}

function placeLine(
  { middles, stepsX, stepsY, x, y }: Sides,
  place: number,
  { ends }: Lines,
  line: number,
): void {
  const at = line * 6;
  const fromX = ends[at] ?? 0;
  const fromY = ends[at + 1] ?? 0;
  const stepX = (ends[at + 4] ?? 0) - fromY;
  const stepY = fromX - (ends[at + 3] ?? 0);
  stepsX[place] = stepX;
  stepsY[place] = stepY;
  middles[place] = stepX * (x + 0.5 - fromX) + stepY * (y + 0.5 - fromY);
}

/** The samples of the pixel on the positive side of a line. */
export function positiveSide({ middles, stepsX, stepsY }: Sides, place: number): number {
  return positiveSamples(middles[place] ?? 0, stepsX[place] ?? 0, stepsY[place] ?? 0);
}

/** A neighbour that no line touches looks like the side of the lines on which it lies. */
function askNeighbours({ sides, row, above, scene }: Walk): void {
  const { x } = sides;
  if (x > 0 && row.isFlat[x - 1] === 1) know(sides, -1, 0, row.looks[x - 1] ?? 0);
  if (x + 1 < scene.width && row.isFlat[x + 1] === 1) know(sides, 1, 0, row.looks[x + 1] ?? 0);
  if (above.isFlat[x] === 1) know(sides, 0, -1, above.looks[x] ?? 0);
}

/** Remembers the look of the neighbour so far to the right and below. */
function know(sides: Sides, right: number, below: number, look: number): void {
  const { middles, stepsX, stepsY, count, looks } = sides;
  let side = 0;
  for (let i = 0; i < count; i++) {
    const value = (middles[i] ?? 0) + right * (stepsX[i] ?? 0) + below * (stepsY[i] ?? 0);
    if (value <= 0) side |= 1 << i;
  }
  looks[side] = look;
  sides.known |= 1 << side;
}

/** The look of a side; if unknown, a ray through one of its samples finds it. */
function lookOfSide({ sides, tracer, stacks, sink }: Walk, side: number, mask: number): number {
  const { looks, x, y } = sides;
  if (((sides.known >> side) & 1) === 0) {
    const sample = firstSample(mask);
    aimAt(tracer, x);
    traceRay(tracer, stacks[0], x + (samplesX[sample] ?? 0), y + (samplesY[sample] ?? 0));
    looks[side] = sink.look(stacks[0]);
    sides.known |= 1 << side;
  }
  return looks[side] ?? 0;
}

/** Adds a share of a pixel. There is room for one share per sample. */
export function addShare(shares: Shares, look: number, samples: number): void {
  shares.looks[shares.count] = look;
  shares.samples[shares.count++] = samples;
}

/** Hands the shares to the sink, unless they look the same and their stacks would make a difference. */
function finish(walk: Walk, x: number, y: number): void {
  const { scene, sink, shares, marks, allMarks } = walk;
  const { count, looks } = shares;
  const look = looks[0] ?? 0;
  let isSame = sink.isVague(look);
  for (let i = 1; i < count && isSame; i++) isSame = looks[i] === look;
  if (!isSame) sink.mix(y * scene.width + x, shares);
  else if (allMarks === marks) mixPixel(walk, marks, x, y);
  else lookClosely(walk, y, x, x + 1);
}
