import { findLines, texelLine } from "./lines.ts";
import { createMarks, linesIn, markArea, type Marks, seamSeen } from "./marks.ts";
import { addShare, mixPixel, placeLines, positiveSide, type Walk } from "./mix.ts";
import {
  allSamples,
  countSamples,
  firstSample,
  lastSample,
  sampleCount,
  samplesX,
  samplesY,
} from "./samples.ts";
import { aimAt, aimAtRow, isSameStack, type Stack, traceRay } from "./trace.ts";

/** Pixels with no more than so many rows between them are marked together. */
const rowsBetween = 4;

/**
 * Looks at the pixels again that need all lines. They are few: where boxes run into each other, and where the
 * picture is translucent. So all lines are marked around them only.
 */
export function walkClosely(walk: Walk): void {
  const { closely, marks, scene, tracer } = walk;
  if (closely.length === 0) return;
  const all = (walk.allMarks ??= createMarks(findLines(scene, null), marks.covers));
  all.firstRow = marks.firstRow;
  for (let i = 0, end; i < closely.length; i = end) {
    end = all === marks ? closely.length : markAround(all, closely, i);
    for (let run = i; run < end; run += 3) {
      const y = closely[run] ?? 0;
      aimAtRow(tracer, y);
      walkRun(walk, y, closely[run + 1] ?? 0, closely[run + 2] ?? 0);
    }
  }
  closely.length = 0;
}

/**
 * Marks all lines around the runs from place `start` on that lie close together; returns the place after
 * them.
 */
function markAround(all: Marks, closely: readonly number[], start: number): number {
  const area = { top: closely[start] ?? 0, bottom: closely[start] ?? 0, left: Infinity, right: 0 };
  let i = start;
  for (; i < closely.length && (closely[i] ?? 0) <= area.bottom + rowsBetween; i += 3) {
    area.bottom = (closely[i] ?? 0) + 1;
    area.left = Math.min(area.left, closely[i + 1] ?? 0);
    area.right = Math.max(area.right, closely[i + 2] ?? 0);
  }
  markArea(all, area);
  return i;
}

/** Pixels from `start` to before `end` that only seams and left-out lines can divide. */
function walkRun(walk: Walk, y: number, start: number, end: number): void {
  const { scene, marks } = walk;
  const all = walk.allMarks ?? marks;
  const row = (y - all.firstRow) * scene.width;
  for (let x = start; x < end;) {
    const from = x;
    let seams = marks.words[row + x] ?? 0;
    const count = linesIn(all.words[row + x++] ?? 0);
    if (count === 0) {
      for (; x < end && linesIn(all.words[row + x] ?? 0) === 0; x++) seams |= marks.words[row + x] ?? 0;
      if ((seams & seamSeen) === 0) runAsFirst(walk, y, from, x);
      else walkSpan(walk, y, from, x);
    } else if (
      count === 1 &&
      (seams & seamSeen) !== 0 &&
      all.lines.kinds[all.firsts[row + from] ?? 0] === texelLine
    ) {
      mixSplit(walk, all, from, y);
    } else {
      mixPixel(walk, all, from, y);
    }
  }
}

function runAsFirst({ scene, sink, stacks, tracer }: Walk, y: number, start: number, end: number): void {
  aimAt(tracer, start);
  traceRay(tracer, stacks[0], start + 0.5, y + 0.5);
  if (stacks[0].count > 0) sink.run(y * scene.width + start, end - start, sink.look(stacks[0]));
}

/**
 * Pixels from `start` to before `end` with seams, but without other lines. Where the first and the last show
 * the same, all are taken to. Otherwise the place of the change is found by halving, and the two pixels there
 * are mixed.
 */
function walkSpan(walk: Walk, y: number, start: number, end: number): void {
  const { tracer, stacks, allMarks, marks } = walk;
  if (end - start > 1) {
    aimAt(tracer, start);
    traceRay(tracer, stacks[0], start + 0.5, y + 0.5);
    aimAt(tracer, end - 1);
    traceRay(tracer, stacks[1], end - 0.5, y + 0.5);
  }
  if (end - start === 1 || isSameStack(stacks[0], stacks[1])) {
    runAsFirst(walk, y, start, end);
  } else if (end - start === 2) {
    mixPixel(walk, allMarks ?? marks, start, y);
    mixPixel(walk, allMarks ?? marks, start + 1, y);
  } else {
    const middle = (start + end) >> 1;
    walkSpan(walk, y, start, middle);
    walkSpan(walk, y, middle, end);
  }
}

/**
 * A pixel with a seam and one border between texels. Two samples on each side of the border are looked at, as
 * far apart as can be. Where they show the same, the seam is taken to pass by.
 */
function mixSplit(walk: Walk, all: Marks, x: number, y: number): void {
  const { scene, sink, stacks, shares, sides, tracer } = walk;
  const [one, other] = stacks;
  placeLines(walk, all, x, y);
  const mask = positiveSide(sides, 0);
  aimAt(tracer, x);
  if (!isEven(walk, one, mask) || !isEven(walk, other, ~mask & allSamples)) return mixPixel(walk, all, x, y);
  const samples = countSamples(mask);
  shares.count = 0;
  if (samples > 0) addShare(shares, sink.look(one), samples);
  if (samples === 0 || (samples < sampleCount && !isSameStack(one, other))) {
    addShare(shares, sink.look(other), sampleCount - samples);
  }
  sink.mix(y * scene.width + x, shares);
}

/**
 * Whether the first and the last of some samples of the placed pixel show the same; `first` becomes what the
 * first shows.
 */
function isEven({ tracer, sides: { x, y }, stacks }: Walk, first: Stack, samples: number): boolean {
  if (samples === 0) return true;
  const [a, b] = [firstSample(samples), lastSample(samples)];
  traceRay(tracer, first, x + (samplesX[a] ?? 0), y + (samplesY[a] ?? 0));
  traceRay(tracer, stacks[2], x + (samplesX[b] ?? 0), y + (samplesY[b] ?? 0));
  return isSameStack(first, stacks[2]);
}
