import { createCovers, coverRows, type Covers, isCovered } from "./covers.ts";
import { edgeLine, isBlankSeam, type Lines, seamLine } from "./lines.ts";

/**
 * A mark says in one word which lines touch a pixel. Bits 0 to 25: the boxes that have an edge there, visible
 * or hidden. Bits 26 and 27: how many lines are visible, seams not counted: 0, 1, 2, or 3 for more.
 */
const countShift = 26;
const oneLine = 1 << countShift;
const manyLines = 3 << countShift;
/** A seam is visible. */
export const seamSeen = 1 << 28;
/** A line is hidden in the middle of the pixel. */
const lineHidden = 1 << 29;
/**
 * An edge of an opaque box is visible, so what is hidden in the middle may be visible elsewhere in the pixel.
 */
const uncovered = 1 << 30;

/** How many lines are visible in a pixel, seams not counted: 0, 1, 2, or 3 for more. */
export function linesIn(mark: number): number {
  return (mark >> countShift) & 3;
}

/** Whether no line changes what is seen in a pixel. */
export function isFlat(mark: number): boolean {
  return (mark & (manyLines | seamSeen)) === 0;
}

/** Whether a box has an edge in a pixel, visible or hidden. */
export function hasEdge(mark: number, box: number): boolean {
  return ((mark >> box) & 1) !== 0;
}

/**
 * The marks of some rows, the first of which is `firstRow`; marked are the rows from `top` to before
 * `bottom`, of each the pixels from `left` to before `right`.
 */
export type Marks = {
  readonly lines: Lines;
  firstRow: number;
  top: number;
  bottom: number;
  left: number;
  right: number;
  /** For each pixel of the rows its mark, */
  readonly words: Int32Array;
  /** and its first and its second visible line. */
  readonly firsts: Int32Array;
  readonly seconds: Int32Array;
  readonly covers: Covers;
  readonly pen: Pen;
};

/** The line that is being drawn into the marks. */
type Pen = {
  line: number;
  /** Its kind, its box or seam, and the bit that stands for it. */
  kind: number;
  owner: number;
  bit: number;
  /** Its direction: along x where it is at least as wide as high, otherwise along y. */
  isLevel: boolean;
  /**
   * One end: how far along, how far across, and its nearness. Then how far along both ends are, the lesser
   * first.
   */
  along: number;
  across: number;
  near: number;
  first: number;
  last: number;
  /** The change across and half the change of nearness, for each step of 1 along. */
  step: number;
  halfStepNear: number;
};

/** About so many pixels are marked at a time. Their marks take 0.2 MB and stay in the processor's cache. */
const pixelsAtOnce = 16_384;

/** Makes room for marks. Two sets of lines can share the covers as long as they mark the same rows. */
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
  // Three are as good as more: where textures are fine, most pixels have three borders long before the last.
  if ((word & manyLines) === manyLines && pen.kind !== edgeLine) return;
  const own = pen.kind === seamLine ? -1 : pen.owner;
  if (isCovered(marks.covers, pixel, own, near)) hideLine(marks, pixel);
  else countLine(marks, pixel);
}

/** Counts a visible line in a pixel. */
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

/**
 * A visible edge of an opaque box may leave visible, elsewhere in the pixel, what is hidden in its middle.
 */
function uncover(words: Int32Array, pixel: number): void {
  const word = (words[pixel] ?? 0) | uncovered;
  words[pixel] = (word & lineHidden) === 0 ? word : word | manyLines;
}

/** Remembers a line that is hidden in the middle of a pixel, because it may be visible elsewhere in it. */
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
