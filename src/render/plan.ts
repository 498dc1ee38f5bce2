import { markEdges } from "./edge-mask.ts";
import { createList, type NumberList, push, trimmed } from "./number-list.ts";
import { buildScene, type Scene, type SceneKey } from "./scene.ts";
import { createStackTable, stackNumber, type StackTable } from "./stack-table.ts";
import { createStack, type Stack, traceRay } from "./trace.ts";

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

/** Works a view out. The cost grows with the edges in the picture: about 16 rays each pixel on an edge. */
export function buildPlan(key: SceneKey): Plan {
  const scene = buildScene(key);
  const draft = startDraft(scene);
  for (let y = 0; y < scene.height; y++) planRow(draft, y);
  return finishPlan(draft);
}

type Draft = {
  readonly scene: Scene;
  readonly mask: Uint8Array;
  readonly table: StackTable;
  readonly stack: Stack;
  readonly samples: readonly (readonly [x: number, y: number])[];
  readonly seen: Uint32Array;
  readonly runs: NumberList<Uint32Array>;
  readonly mixPixels: NumberList<Uint32Array>;
  readonly mixStarts: NumberList<Uint32Array>;
  readonly shares: NumberList<Uint32Array>;
};

function startDraft(scene: Scene): Draft {
  const samples = samplePattern(sampleBits);
  return {
    scene,
    mask: markEdges(scene),
    table: createStackTable(),
    stack: createStack(scene),
    samples,
    seen: new Uint32Array(samples.length),
    runs: createList(new Uint32Array(4096)),
    mixPixels: createList(new Uint32Array(4096)),
    mixStarts: createList(new Uint32Array(4096)),
    shares: createList(new Uint32Array(8192)),
  };
}

/** 2^4 samples: an edge has 16 steps between its two sides. */
const sampleBits = 4;

/**
 * Hammersley points: no two share a row or a column, so that edges close to upright or level, the most frequent ones,
 * are as smooth as slanting ones.
 */
function samplePattern(bits: number): [number, number][] {
  const count = 2 ** bits;
  return Array.from({ length: count }, (_, i) => {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit++) mirrored |= ((i >> bit) & 1) << (bits - 1 - bit);
    return [(i + 0.5) / count, (mirrored + 0.5) / count];
  });
}

function planRow(draft: Draft, y: number): void {
  const { mask, scene } = draft;
  const row = y * scene.width;
  for (let x = 0; x < scene.width;) {
    if (mask[row + x] === 1) {
      planMixed(draft, x++, y);
      continue;
    }
    const start = x;
    while (x < scene.width && mask[row + x] === 0) x++;
    planSpan(draft, y, start, x);
  }
}

/**
 * Pixels from `start` to before `end`, free of edges. Where two boxes run into each other the stack can change all the
 * same; the place is found by halving and its pixels are mixed.
 */
function planSpan(draft: Draft, y: number, start: number, end: number): void {
  const first = stackAt(draft, start + 0.5, y + 0.5);
  const last = end - start > 1 ? stackAt(draft, end - 0.5, y + 0.5) : first;
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

function planMixed(draft: Draft, x: number, y: number): void {
  const { samples, seen, shares, scene } = draft;
  for (const [i, [dx, dy]] of samples.entries()) seen[i] = stackAt(draft, x + dx, y + dy);
  const pixel = y * scene.width + x;
  seen.sort();
  const only = seen[0] ?? 0;
  if (only === seen[seen.length - 1]) {
    addRun(draft, pixel, 1, only);
    return;
  }
  push(draft.mixPixels, pixel);
  push(draft.mixStarts, shares.length);
  for (let from = 0, i = 1; i <= seen.length; i++) {
    if (seen[i] === seen[from]) continue;
    push(shares, (seen[from] ?? 0) * 64 + (i - from - 1));
    from = i;
  }
}

function stackAt({ scene, stack, table }: Draft, x: number, y: number): number {
  traceRay(scene, x, y, stack);
  return stackNumber(table, stack);
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
  return { width: scene.width, height: scene.height, ...arrays, sampleCount: samples.length, bytes };
}
