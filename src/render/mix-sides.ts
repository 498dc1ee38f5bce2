import { type Lines, texelLine } from "./lines.ts";
import { linesIn, seamSeen } from "./marks.ts";
import { allSamples, countSamples, firstSample, positiveSamples, samplesX, samplesY } from "./samples.ts";
import { aimAt, traceRay } from "./trace.ts";
import { lookClosely, mixPixel, type Shares, type Sides, type Walk } from "./walk-state.ts";

/** Mixes a pixel that lines part. */
export function mixLines(walk: Walk, x: number, y: number): void {
  const { marks, scene } = walk;
  const local = (y - marks.top) * scene.width + x;
  const word = marks.words[local] ?? 0;
  const count = linesIn(word);
  const hasSeam = (word & seamSeen) !== 0;
  if (count < 3 && !hasSeam) mixSides(walk, x, y, count);
  else if (count === 1 && marks.lines.kinds[marks.firsts[local] ?? 0] === texelLine)
    lookClosely(walk, y, x, x + 1);
  else mixPixel(walk, marks, x, y);
}

/** A pixel that one line parts, or two: the samples on a side of them look the same. */
function mixSides(walk: Walk, x: number, y: number, count: number): void {
  const { sides, shares } = walk;
  placeLines(walk, x, y, count);
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

function placeLines({ marks, scene, sides }: Walk, x: number, y: number, count: number): void {
  const local = (y - marks.firstRow) * scene.width + x;
  sides.known = 0;
  sides.x = x;
  sides.y = y;
  sides.count = count;
  placeLine(sides, 0, marks.lines, marks.firsts[local] ?? 0);
  if (count === 2) placeLine(sides, 1, marks.lines, marks.seconds[local] ?? 0);
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

function positiveSide({ middles, stepsX, stepsY }: Sides, place: number): number {
  return positiveSamples(middles[place] ?? 0, stepsX[place] ?? 0, stepsY[place] ?? 0);
}

/** What a neighbour shows that no line touches is seen on its side of the lines, too. */
function askNeighbours({ sides, row, above, scene }: Walk): void {
  const { x } = sides;
  if (x > 0 && row.isFlat[x - 1] === 1) know(sides, -1, 0, row.looks[x - 1] ?? 0);
  if (x + 1 < scene.width && row.isFlat[x + 1] === 1) know(sides, 1, 0, row.looks[x + 1] ?? 0);
  if (above.isFlat[x] === 1) know(sides, 0, -1, above.looks[x] ?? 0);
}

/** Remembers how the neighbour so far to the right and below looks. */
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

/** How a side looks that some samples lie on. */
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

/** The samples of a pixel on one side of a line. */
export function sideOf({ ends }: Lines, line: number, x: number, y: number): number {
  const at = line * 6;
  const fromX = ends[at] ?? 0;
  const fromY = ends[at + 1] ?? 0;
  const stepX = (ends[at + 4] ?? 0) - fromY;
  const stepY = fromX - (ends[at + 3] ?? 0);
  return positiveSamples(stepX * (x + 0.5 - fromX) + stepY * (y + 0.5 - fromY), stepX, stepY);
}

/** Adds a share of a pixel; the list has room for four. */
export function addShare(shares: Shares, look: number, samples: number): void {
  shares.looks[shares.count] = look;
  shares.samples[shares.count++] = samples;
}

/** Hands the shares to the sink, unless more has to be known of stacks that look the same. */
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
