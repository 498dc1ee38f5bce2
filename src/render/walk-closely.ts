import { findLines, texelLine } from "./lines.ts";
import { createMarks, linesIn, markArea, type Marks, seamSeen } from "./marks.ts";
import { addShare, sideOf } from "./mix-sides.ts";
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
import { mixPixel, type Walk } from "./walk-state.ts";

/** So many rows without a pixel that needs all lines are marked along with their neighbours. */
const rowsBetween = 4;

/**
 * Looks at the pixels again that need all lines. Those are few: where boxes run into each other, and where the picture is
 * translucent. So all lines are marked only around them.
 */
export function walkClosely(walk: Walk): void {
  const { closely, marks, scene, tracer } = walk;
  if (closely.length === 0) return;
  const all = (walk.allMarks ??= createMarks(findLines(scene, null), marks.covers));
  all.firstRow = marks.firstRow;
  for (let i = 0, end; i < closely.length; i = end) {
    end = all === marks ? closely.length : markAround(all, closely, i);
    for (let run = i; run < end; run += 3) {
      const y = closely.items[run] ?? 0;
      aimAtRow(tracer, y);
      walkRun(walk, y, closely.items[run + 1] ?? 0, closely.items[run + 2] ?? 0);
    }
  }
  closely.length = 0;
}

/** Marks all lines around the runs of pixels from place `start` on that lie close together; returns the place after them. */
function markAround(all: Marks, { items, length }: Walk["closely"], start: number): number {
  const area = { top: items[start] ?? 0, bottom: items[start] ?? 0, left: Infinity, right: 0 };
  let i = start;
  for (; i < length && (items[i] ?? 0) <= area.bottom + rowsBetween; i += 3) {
    area.bottom = (items[i] ?? 0) + 1;
    area.left = Math.min(area.left, items[i + 1] ?? 0);
    area.right = Math.max(area.right, items[i + 2] ?? 0);
  }
  markArea(all, area);
  return i;
}

/** Pixels from `start` to before `end` that only seams and lines that were left out can part. */
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
 * Pixels from `start` to before `end` with seams, but without other lines. Where the first and the last show the same,
 * all are taken to; else the place where that changes is found by halving, and its two pixels are mixed.
 */
function walkSpan(walk: Walk, y: number, start: number, end: number): void {
  const { tracer, stacks } = walk;
  if (end - start > 1) {
    aimAt(tracer, start);
    traceRay(tracer, stacks[0], start + 0.5, y + 0.5);
    aimAt(tracer, end - 1);
    traceRay(tracer, stacks[1], end - 0.5, y + 0.5);
    if (!isSameStack(stacks[0], stacks[1])) return halve(walk, y, start, end);
  }
  runAsFirst(walk, y, start, end);
}

function halve(walk: Walk, y: number, start: number, end: number): void {
  const { allMarks, marks } = walk;
  if (end - start === 2) {
    mixPixel(walk, allMarks ?? marks, start, y);
    mixPixel(walk, allMarks ?? marks, start + 1, y);
    return;
  }
  const middle = (start + end) >> 1;
  walkSpan(walk, y, start, middle);
  walkSpan(walk, y, middle, end);
}

/**
 * A pixel with a seam that a border between texels parts. Two samples of each side are looked at, as far apart as can be;
 * where they show the same, the seam is taken to pass by.
 */
function mixSplit(walk: Walk, all: Marks, x: number, y: number): void {
  const { scene, sink, tracer, stacks, shares } = walk;
  const [one, other, last] = stacks;
  const pixel = y * scene.width + x;
  const mask = sideOf(all.lines, all.firsts[pixel - all.firstRow * scene.width] ?? 0, x, y);
  const isEven = (first: Stack, side: number) => {
    if (side === 0) return true;
    traceSample(walk, first, firstSample(side), [x, y]);
    traceSample(walk, last, lastSample(side), [x, y]);
    return isSameStack(first, last);
  };
  aimAt(tracer, x);
  if (!isEven(one, mask) || !isEven(other, ~mask & allSamples)) return mixPixel(walk, all, x, y);
  const samples = countSamples(mask);
  shares.count = 0;
  if (samples > 0) addShare(shares, sink.look(one), samples);
  if (samples === 0 || (samples < sampleCount && !isSameStack(one, other))) {
    addShare(shares, sink.look(other), sampleCount - samples);
  }
  sink.mix(pixel, shares);
}

function traceSample(
  { tracer }: Walk,
  stack: Stack,
  sample: number,
  [x, y]: readonly [number, number],
): void {
  traceRay(tracer, stack, x + (samplesX[sample] ?? 0), y + (samplesY[sample] ?? 0));
}
