import { type Edges, findEdges } from "./edges.ts";
import { createList, type NumberList, push, trimmed } from "./number-list.ts";
import { type Border, buildScene, type Scene, type SceneKey } from "./scene.ts";
import { createStackTable, stackNumber, type StackTable } from "./stack-table.ts";
import { aimAt, createTracer, traceRay, type Tracer } from "./trace.ts";

/**
 * How to draw a view in one size for any skin: which texels each pixel shows. Drawing then only gathers and blends.
 * Most pixels show one stack of texels; they are kept as runs along the rows. Pixels on the border of texels or of the
 * figure mix a few stacks. Pixels that show nothing are in neither list.
 */
export type Plan = {
  readonly width: number;
  readonly height: number;
  /** The different stacks: surfaces front to back, from `stackStarts[n]` to `stackStarts[n + 1]`. */
  readonly stackStarts: Uint32Array;
  readonly texels: Uint32Array;
  readonly shades: Uint8Array;
  /** Runs of pixels of one stack: first pixel, number of pixels, number of the stack, one after another. */
  readonly runs: Uint32Array;
  /** Mixed pixels: which, and where their shares begin in `shares`; `mixStarts` has one entry more. */
  readonly mixPixels: Uint32Array;
  readonly mixStarts: Uint32Array;
  /** Number of a stack times 64, plus how many samples of the pixel show it less one. */
  readonly shares: Uint32Array;
  /** Samples of a mixed pixel: the sum of its shares. A power of two. */
  readonly sampleCount: number;
  readonly bytes: number;
};

/** Works a view out. The cost grows with the edges in the picture: 2 to 16 rays for each pixel on an edge. */
export function buildPlan(key: SceneKey): Plan {
  const scene = buildScene(key);
  const draft = startDraft(scene);
  for (let y = 0; y < scene.height; y++) planRow(draft, y);
  return finishPlan(draft);
}

type Draft = {
  readonly scene: Scene;
  readonly edges: Edges;
  readonly table: StackTable;
  readonly tracer: Tracer;
  /** Where in a pixel the samples lie: x and y in turn. */
  readonly samples: Float64Array;
  /** The different stacks of the pixel at hand and how many samples show each. */
  readonly found: { readonly stacks: Uint32Array; readonly counts: Uint32Array };
  readonly runs: NumberList<Uint32Array>;
  readonly mixPixels: NumberList<Uint32Array>;
  readonly mixStarts: NumberList<Uint32Array>;
  readonly shares: NumberList<Uint32Array>;
};

function startDraft(scene: Scene): Draft {
  const samples = samplePattern(sampleBits);
  return {
    scene,
    edges: findEdges(scene),
    table: createStackTable(),
    tracer: createTracer(scene),
    samples,
    found: { stacks: new Uint32Array(samples.length / 2), counts: new Uint32Array(samples.length / 2) },
    runs: createList(new Uint32Array(4096)),
    mixPixels: createList(new Uint32Array(4096)),
    mixStarts: createList(new Uint32Array(4096)),
    shares: createList(new Uint32Array(8192)),
  };
}

/** 2^4 samples: an edge has 16 steps between its two sides. A share has room for 2^6. */
const sampleBits = 4;

/**
 * Hammersley points: no two share a row or a column, so that edges close to upright or level, the most frequent ones,
 * are as smooth as slanting ones.
 */
function samplePattern(bits: number): Float64Array {
  const count = 2 ** bits;
  const places = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit++) mirrored |= ((i >> bit) & 1) << (bits - 1 - bit);
    places[i * 2] = (i + 0.5) / count;
    places[i * 2 + 1] = (mirrored + 0.5) / count;
  }
  return places;
}

function planRow(draft: Draft, y: number): void {
  const { kinds } = draft.edges;
  const { width } = draft.scene;
  for (let x = 0; x < width;) {
    const kind = kinds[y * width + x];
    if (kind !== 0) {
      if (kind === 1) planSplit(draft, x++, y);
      else planMixed(draft, x++, y);
      continue;
    }
    const start = x;
    while (x < width && kinds[y * width + x] === 0) x++;
    planSpan(draft, y, start, x);
  }
}

/**
 * Pixels from `start` to before `end`, free of edges. Where two boxes run into each other the stack can change all the
 * same; the place is found by halving and its pixels are mixed.
 */
function planSpan(draft: Draft, y: number, start: number, end: number): void {
  const first = stackAtMiddle(draft, start, y);
  const last = end - start > 1 ? stackAtMiddle(draft, end - 1, y) : first;
  if (first === last) {
    addRun(draft, y * draft.scene.width + start, end - start, first);
  } else if (end - start === 2) {
    planMixed(draft, start, y);
    planMixed(draft, start + 1, y);
  } else {
    const middle = (start + end) >> 1;
    planSpan(draft, y, start, middle);
    planSpan(draft, y, middle, end);
  }
}

/**
 * A pixel that a single border parts: all samples on one side of it show the same. Two of each side are traced, as far
 * apart as can be, so that the line where two boxes run into each other is noticed; it is no border of either.
 */
function planSplit(draft: Draft, x: number, y: number): void {
  const { samples, edges, found } = draft;
  const pixel = y * draft.scene.width + x;
  const border = edges.borders[edges.borderOf[pixel] ?? 0];
  if (!border) return;
  const sides: [number[], number[]] = [[], []];
  for (let i = 0; i < samples.length; i += 2) {
    const isLeft = isLeftOf(border, x + (samples[i] ?? 0), y + (samples[i + 1] ?? 0));
    sides[isLeft ? 0 : 1].push(i);
  }
  aimAt(draft.tracer, x, y);
  let different = 0;
  for (const side of sides) {
    if (side.length === 0) continue;
    const stack = stackAtSample(draft, x, y, side[0]);
    if (stack !== stackAtSample(draft, x, y, side.at(-1))) return planMixed(draft, x, y);
    if (different === 1 && stack === found.stacks[0]) continue;
    found.stacks[different] = stack;
    found.counts[different++] = side.length;
  }
  addPixel(draft, pixel, different);
}

function stackAtSample(draft: Draft, x: number, y: number, sample = 0): number {
  const { samples } = draft;
  return stackAt(draft, x + (samples[sample] ?? 0), y + (samples[sample + 1] ?? 0));
}

function isLeftOf({ from, to }: Border, x: number, y: number): boolean {
  return (to.x - from.x) * (y - from.y) < (to.y - from.y) * (x - from.x);
}

/** A pixel on several borders: every sample is traced. */
function planMixed(draft: Draft, x: number, y: number): void {
  const { samples, found } = draft;
  let different = 0;
  aimAt(draft.tracer, x, y);
  for (let i = 0; i < samples.length; i += 2) {
    const stack = stackAtSample(draft, x, y, i);
    let at = 0;
    while (at < different && found.stacks[at] !== stack) at++;
    if (at === different) {
      found.stacks[different++] = stack;
      found.counts[at] = 0;
    }
    found.counts[at] = (found.counts[at] ?? 0) + 1;
  }
  addPixel(draft, y * draft.scene.width + x, different);
}

/** Adds a pixel that shows the first `different` stacks of `found`. */
function addPixel(draft: Draft, pixel: number, different: number): void {
  const { found, shares } = draft;
  if (different === 1) {
    addRun(draft, pixel, 1, found.stacks[0] ?? 0);
    return;
  }
  push(draft.mixPixels, pixel);
  push(draft.mixStarts, shares.length);
  for (let i = 0; i < different; i++) push(shares, (found.stacks[i] ?? 0) * 64 + (found.counts[i] ?? 0) - 1);
}

function stackAtMiddle(draft: Draft, x: number, y: number): number {
  aimAt(draft.tracer, x, y);
  return stackAt(draft, x + 0.5, y + 0.5);
}

function stackAt({ tracer, table }: Draft, x: number, y: number): number {
  traceRay(tracer, x, y);
  return stackNumber(table, tracer);
}

/** Adds a run, or makes the one before it longer. */
function addRun({ runs }: Draft, pixel: number, length: number, stack: number): void {
  if (stack === 0) return;
  const { items } = runs;
  const last = runs.length - 3;
  const lastLength = items[last + 1] ?? 0;
  if (last >= 0 && items[last + 2] === stack && (items[last] ?? 0) + lastLength === pixel) {
    items[last + 1] = lastLength + length;
    return;
  }
  push(runs, pixel);
  push(runs, length);
  push(runs, stack);
}

function finishPlan({ scene, table, runs, mixPixels, mixStarts, shares, samples }: Draft): Plan {
  push(mixStarts, shares.length);
  const arrays = {
    stackStarts: trimmed(table.starts),
    texels: trimmed(table.codes).map((code) => code >>> 1),
    shades: trimmed(table.shades),
    runs: trimmed(runs),
    mixPixels: trimmed(mixPixels),
    mixStarts: trimmed(mixStarts),
    shares: trimmed(shares),
  };
  const bytes = Object.values(arrays).reduce((sum, array) => sum + array.byteLength, 0);
  return { width: scene.width, height: scene.height, ...arrays, sampleCount: samples.length / 2, bytes };
}
