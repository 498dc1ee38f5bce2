import { findLines, isBusy } from "./lines.ts";
import { createMarks, type Marks } from "./marks.ts";
import { createList, type NumberList, push } from "./number-list.ts";
import type { Scene } from "./scene.ts";
import { createSurfaces, meetBoxes, type Surfaces } from "./surfaces.ts";
import { aimAt, createStack, createTracer, type Stack, type Tracer } from "./trace.ts";

/**
 * What is made of a picture: it is drawn at once, or kept as a plan. Sinks are classes and not objects with closures:
 * the compiler knows methods again in the next picture, while closures, which are new, made it drop its code each time.
 */
export type Sink = {
  /** How a stack looks: its colour, or a number of its own. The empty stack looks like 0, the background. */
  look(stack: Stack): number;
  /** Whether two different stacks that look so may make another pixel than one of them alone. */
  isVague(look: number): boolean;
  /** Takes a run of pixels that look the same. */
  run(pixel: number, length: number, look: number): void;
  /** Takes a pixel that lines part. */
  mix(pixel: number, shares: Shares): void;
  /** Takes a pixel of which each sample has to be looked at. */
  mixSurfaces(pixel: number, surfaces: Surfaces): void;
};

/** How a pixel looks, and at how many samples: the first `count` entries. */
export type Shares = { count: number; readonly looks: Int32Array; readonly samples: Int32Array };

/** How the pixels of a row look that no line touches. */
export type Flats = { readonly looks: Int32Array; readonly isFlat: Uint8Array };

/** A scene on its way to a sink. */
export type Walk = {
  readonly scene: Scene;
  readonly sink: Sink;
  /** The marks of the lines that make a difference. */
  readonly marks: Marks;
  /** The marks of all lines where they are asked for: the same, or others that are found then. */
  allMarks: Marks | null;
  readonly tracer: Tracer;
  readonly stacks: readonly [Stack, Stack, Stack];
  readonly surfaces: Surfaces;
  readonly shares: Shares;
  readonly sides: Sides;
  row: Flats;
  above: Flats;
  /** Pixels that have to be looked at with all lines: of each run y, the first x, and the x after the last. */
  readonly closely: NumberList<Int32Array>;
};

/**
 * The one or two lines that part the pixel at hand, and how the pixel looks on their sides as far as that is known. A side
 * has a number: bit i is set where linear function i is not positive, which is 0 on line i.
 */
export type Sides = {
  x: number;
  y: number;
  /** The first line, and how many there are. */
  line: number;
  count: number;
  /** For each line the value of its function in the middle of the pixel, and the steps from pixel to pixel. */
  readonly middles: Float64Array;
  readonly stepsX: Float64Array;
  readonly stepsY: Float64Array;
  /** For each side how it looks, and a set of those of which that is known. */
  readonly looks: Int32Array;
  known: number;
};

/** Starts on a scene. With the texels of a skin, lines at which these make no difference are left out. */
export function startWalk(scene: Scene, sink: Sink, texels: Int32Array | null): Walk {
  const marks = createMarks(findLines(scene, texels && !isBusy(scene, texels) ? texels : null));
  return {
    scene,
    sink,
    marks,
    allMarks: marks.lines.texels === null ? marks : null,
    tracer: createTracer(scene),
    stacks: [createStack(scene), createStack(scene), createStack(scene)],
    surfaces: createSurfaces(scene),
    shares: { count: 0, looks: new Int32Array(4), samples: new Int32Array(4) },
    sides: createSides(),
    row: createFlats(scene),
    above: createFlats(scene),
    closely: createList(new Int32Array(256)),
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

/** Has pixels from `start` to before `end` looked at with all lines when those are marked. */
export function lookClosely({ closely }: Walk, y: number, start: number, end: number): void {
  push(closely, y);
  push(closely, start);
  push(closely, end);
}

/** Has the sink look at each sample of a pixel. */
export function mixPixel({ tracer, surfaces, sink, scene }: Walk, marks: Marks, x: number, y: number): void {
  const pixel = y * scene.width + x;
  aimAt(tracer, x);
  surfaces.x = x;
  surfaces.y = y;
  surfaces.mark = marks.words[pixel - marks.firstRow * scene.width] ?? 0;
  meetBoxes(surfaces, tracer);
  sink.mixSurfaces(pixel, surfaces);
}
