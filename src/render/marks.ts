import { createCovers, coverRows, type Covers, isCovered } from "./covers.ts";
import { edgeLine, isBlankSeam, type Lines, seamLine } from "./lines.ts";

/**
 * Which lines touch a pixel, in one word.
 * Bits 0 to 12: the boxes that have an edge there, and bits 13 to 25: the boxes that have a border between texels there;
 * seen or hidden. Bits 26 and 27: how many lines can be seen but for seams and blank lines: 0, 1, 2, or 3 for more.
 */
const countShift = 26;
const oneLine = 1 << countShift;
const manyLines = 3 << countShift;
/** A seam can be seen. */
export const seamSeen = 1 << 28;
/** A line is hidden in the middle of the pixel. */
const lineHidden = 1 << 29;
/** An edge of an opaque box can be seen, so what is hidden in the middle may be seen elsewhere in the pixel. */
const uncovered = 1 << 30;

/** How many lines can be seen in a pixel but for seams and blank lines: 0, 1, 2, or 3 for more. */
export function linesIn(mark: number): number {
  return (mark >> countShift) & 3;
}

/** Whether no line changes what is seen in a pixel. */
export function isFlat(mark: number): boolean {
  return (mark & (manyLines | seamSeen)) === 0;
}

/** Whether a box has an edge in a pixel, seen or hidden. */
export function hasEdge(mark: number, box: number): boolean {
  return ((mark >> box) & 1) !== 0;
}

/**
 * The marks of some rows, the first of which is `firstRow`; marked are the rows from `top` to before `bottom`, of each the
 * pixels from `left` to before `right`.
 */
export type Marks = {
  readonly lines: Lines;
  firstRow: number;
  top: number;
  bottom: number;
  left: number;
  right: number;
  /** For each pixel of the rows its word; */
  readonly words: Int32Array;
  /** the first and the second line that can be seen. */
  readonly firsts: Int32Array;
  readonly seconds: Int32Array;
  readonly covers: Covers;
  readonly pen: Pen;
};

/** The line that is being marked. */
type Pen = {
  line: number;
  /** What it is, its box or seam, and the bit that stands for it. */
  kind: number;
  owner: number;
  bit: number;
  /** Its run: along x where it is at least as wide as high, else along y. */
  isLevel: boolean;
  /** One end: how far along, how far across, and its nearness; and the ends by how far along they are. */
  along: number;
  across: number;
  near: number;
  first: number;
  last: number;
  /** By how much it goes across, and half by how much it gets nearer, when it goes along by 1. */
  step: number;
  halfStepNear: number;
};

/** About so many pixels are marked at a time: their marks stay in the processor's cache, and take 0.4 MB. */
const pixelsAtOnce = 16_384;

/** Makes room for marks. Two sets of lines can share the covers, as long as the same rows are at hand. */
export function createMarks(lines: Lines, covers?: Covers): Marks {
  const { width, height } = lines.scene;
  const pixels = width * Math.min(height, Math.ceil(pixelsAtOnce / width));
  return {
    lines,
    firstRow: 0,
    top: 0,
    bottom: 0,
    left: 0,
    right: 0,
    words: new Int32Array(pixels),
    firsts: new Int32Array(pixels),
    seconds: new Int32Array(pixels),
    covers: covers ?? createCovers(lines.scene, pixels),
    pen: createPen(),
  };
}

function createPen(): Pen {
  const line = { line: 0, kind: 0, owner: 0, bit: 0, isLevel: true };
  return { ...line, along: 0.5, across: 0.5, near: 0.5, first: 0.5, last: 0.5, step: 0.5, halfStepNear: 0.5 };
}

/** Marks as many rows as there is room for. */
export function markRows(marks: Marks, top: number): void {
  const { scene } = marks.lines;
  const bottom = Math.min(scene.height, top + ((marks.words.length / scene.width) | 0));
  coverRows(marks.covers, top, bottom);
  marks.firstRow = top;
  markArea(marks, { top, bottom, left: 0, right: scene.width });
}

/** Marks a part of the rows whose covers are known. */
export function markArea(marks: Marks, area: Pick<Marks, "top" | "bottom" | "left" | "right">): void {
  const { lines, words, pen, firstRow } = marks;
  const { scene, kinds, owners } = lines;
  Object.assign(marks, area);
  words.fill(0, (area.top - firstRow) * scene.width, (area.bottom - firstRow) * scene.width);
  for (let n = 0; n < lines.count; n++) {
    if (!isHere(marks, n * 6)) continue;
    pen.line = n;
    pen.kind = kinds[n] ?? 0;
    pen.owner = owners[n] ?? 0;
    pen.bit = pen.kind === edgeLine ? 1 << pen.owner : 0;
    placePen(pen, lines.ends, n * 6);
    if (pen.isLevel) markLevel(marks);
    else markUpright(marks);
  }
}

/** Whether a line does not lie wholly on one side of the pixels. */
function isHere({ lines, top, bottom, left, right }: Marks, at: number): boolean {
  const { ends } = lines;
  const fromY = ends[at + 1] ?? 0;
  const toY = ends[at + 4] ?? 0;
  if ((fromY >= bottom && toY >= bottom) || (fromY < top && toY < top)) return false;
  const fromX = ends[at] ?? 0;
  const toX = ends[at + 3] ?? 0;
  return (fromX < right || toX < right) && (fromX >= left || toX >= left);
}

function placePen(pen: Pen, ends: Float64Array, at: number): void {
  const width = (ends[at + 3] ?? 0) - (ends[at] ?? 0);
  const height = (ends[at + 4] ?? 0) - (ends[at + 1] ?? 0);
  pen.isLevel = Math.abs(width) >= Math.abs(height);
  const length = (pen.isLevel ? width : height) || 1;
  pen.along = ends[pen.isLevel ? at : at + 1] ?? 0;
  pen.across = ends[pen.isLevel ? at + 1 : at] ?? 0;
  pen.near = ends[at + 2] ?? 0;
  pen.first = Math.min(pen.along, pen.along + length);
  pen.last = Math.max(pen.along, pen.along + length);
  pen.step = (pen.isLevel ? height : width) / length;
  pen.halfStepNear = ((ends[at + 5] ?? 0) - pen.near) / length / 2;
}

/** A line that is higher than wide touches one or two pixels of each row. */
function markUpright(marks: Marks): void {
  const { top, bottom, left, right, pen } = marks;
  const { along, across, near, first, last, step, halfStepNear } = pen;
  const stop = Math.min(last, bottom - 1);
  for (let y = Math.max(top, first | 0); y <= stop; y++) {
    const start = (y > first ? y : first) - along;
    const end = (y + 1 < last ? y + 1 : last) - along;
    const startX = (across + step * start) | 0;
    const endX = (across + step * end) | 0;
    const middleNear = near + halfStepNear * (start + end);
    if (startX >= left && startX < right) markPixel(marks, startX, y, middleNear);
    if (endX !== startX && endX >= left && endX < right) markPixel(marks, endX, y, middleNear);
  }
}

/** A line that is at least as wide as high touches one or two pixels of each column. */
function markLevel(marks: Marks): void {
  const { top, bottom, left, right, pen } = marks;
  const { along, across, near, first, last, step, halfStepNear } = pen;
  // Only the columns in which the line runs through these rows, and one more on each side.
  const toTop = step === 0 ? -Infinity : along + (top - across) / step;
  const toBottom = step === 0 ? Infinity : along + (bottom - across) / step;
  const stop = Math.min(last, right - 1, Math.max(toTop, toBottom) + 1);
  for (let x = Math.max(left, Math.max(first, Math.min(toTop, toBottom) - 1) | 0); x <= stop; x++) {
    const start = (x > first ? x : first) - along;
    const end = (x + 1 < last ? x + 1 : last) - along;
    const startY = (across + step * start) | 0;
    const endY = (across + step * end) | 0;
    const middleNear = near + halfStepNear * (start + end);
    if (startY >= top && startY < bottom) markPixel(marks, x, startY, middleNear);
    if (endY !== startY && endY >= top && endY < bottom) markPixel(marks, x, endY, middleNear);
  }
}

/** Marks the pixel (x, y) in which the line has a nearness. */
function markPixel(marks: Marks, x: number, y: number, near: number): void {
  const { words, pen, lines } = marks;
  const pixel = (y - marks.firstRow) * lines.scene.width + x;
  const word = (words[pixel] ?? 0) | pen.bit;
  words[pixel] = word;
  // Many is many: where textures are fine, most pixels have had three borders long before the last.
  if ((word & manyLines) === manyLines && pen.kind !== edgeLine) return;
  const own = pen.kind === seamLine ? -1 : pen.owner;
  if (isCovered(marks.covers, pixel, own, near)) hideLine(marks, pixel);
  else countLine(marks, pixel);
}

/** Counts a line that can be seen in a pixel. */
function countLine(marks: Marks, pixel: number): void {
  const { words, firsts, seconds, pen, lines } = marks;
  if (pen.kind === seamLine) return markSeam(marks, pixel);
  const word = words[pixel] ?? 0;
  const count = linesIn(word);
  if (count === 0) firsts[pixel] = pen.line;
  if (count === 1) seconds[pixel] = pen.line;
  words[pixel] = count < 3 ? word + oneLine : word;
  if (pen.kind === edgeLine && lines.scene.opaque[pen.owner] === 1) uncover(words, pixel);
}

/** An edge of an opaque box brings to light what is hidden elsewhere in the pixel. */
function uncover(words: Int32Array, pixel: number): void {
  const word = (words[pixel] ?? 0) | uncovered;
  words[pixel] = (word & lineHidden) === 0 ? word : word | manyLines;
}

/** Remembers a line that is hidden in the middle of a pixel, because it may be seen elsewhere in it. */
function hideLine(marks: Marks, pixel: number): void {
  const { words, pen } = marks;
  const word = words[pixel] ?? 0;
  if ((word & uncovered) === 0) words[pixel] = word | lineHidden;
  else if (pen.kind === seamLine) markSeam(marks, pixel);
  else words[pixel] = word | manyLines;
}

function markSeam({ words, pen, lines, firstRow }: Marks, pixel: number): void {
  const word = words[pixel] ?? 0;
  if ((word & seamSeen) !== 0) return;
  const { width } = lines.scene;
  const row = (pixel / width) | 0;
  if (!isBlankSeam(lines, pen.owner, pixel - row * width, firstRow + row)) words[pixel] = word | seamSeen;
}
