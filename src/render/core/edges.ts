import { blockSide, crossPixels, placeAt } from "./block";
import { copyEntry, cull, decidePair, entrySize, isDecided, settle, settled, settledCount } from "./boxes";
import { mixBoxes, showFaces } from "./mix";
import { lineSize, placeLine } from "./samples";
import { height, pairs, pairsOfBox, pairSize, pixels, width } from "./scene";

/*
 * A small square in which the order of some pairs of faces differs. Each of these pairs changes places along
 * a line. A pixel's pattern says which lines lie before it (the lower 16 bits) and which cross it. All pixels
 * of a pattern show the same faces, or have to be mixed from the same boxes: its case.
 */
const linesMax = 16;
const crossingBit = 1 << linesMax;
const lines = memory.data(16 * 112, 16);
/** The entry and the number of the pair of each line. */
const owners = memory.data(16 * 8, 16);
const patterns = memory.data(blockSide * blockSide * 4, 16);

/**
 * A case: 0 its pattern, 4 how many faces it shows, or -1, 8 how many boxes it has, 16 its boxes, 272 its
 * faces.
 */
const casesMax = 32;
const caseSize: usize = 400;
const caseFaces: usize = 272;
const cases = memory.data(casesMax * 400, 16);
let caseCount = 0;

/** Draws the square; returns false if too many lines cross it. */
export function drawEdges(list: usize, count: i32, x: i32, y: i32, size: i32): bool {
  const lineCount = findLines(list, count);
  if (lineCount < 0) return false;
  for (let at = patterns; at < patterns + blockSide * blockSide * 4; at += 8) store<u64>(at, 0);
  for (let i = 0; i < lineCount; i++) {
    crossPixels(lines + <usize>i * lineSize, patterns, 1 << i, crossingBit << i);
  }
  caseCount = 0;
  let known: usize = 0;
  const columns = min(x + size, width);
  const rows = min(y + size, height);
  for (let pixelY = y; pixelY < rows; pixelY++) {
    for (let pixelX = x; pixelX < columns; pixelX++) {
      const at = placeAt(pixelX, pixelY);
      const pattern = load<i32>(patterns + at);
      if (known === 0 || load<i32>(known) !== pattern)
        known = findCase(list, count, lineCount, pattern, x, y, size);
      const word = drawCase(known, at, pixelX, pixelY);
      store<i32>(pixels + ((<usize>(pixelY * width + pixelX)) << 2), word);
    }
  }
  return true;
}

/** Sets a line up for each open pair; returns how many there are, or -1 if they are too many. */
function findLines(list: usize, count: i32): i32 {
  let found = 0;
  for (let i = 0; i < count; i++) {
    const entry = list + <usize>i * entrySize;
    for (let rest = load<i32>(entry, 12); rest !== 0; rest &= rest - 1) {
      if (found === linesMax) return -1;
      const pair = pairs + <usize>load<i32>(entry) * pairsOfBox + <usize>ctz(rest) * pairSize;
      const line = lines + <usize>found * lineSize;
      placeLine(line, load<f64>(pair), load<f64>(pair, 8), load<f64>(pair, 16), load<f64>(pair, 32));
      store<i32>(owners + ((<usize>found) << 3), i);
      store<i32>(owners + ((<usize>found) << 3), ctz(rest), 4);
      found++;
    }
  }
  return found;
}

/** The case of a pattern, which is worked out once. */
function findCase(list: usize, count: i32, lineCount: i32, pattern: i32, x: i32, y: i32, size: i32): usize {
  for (let i = 0; i < caseCount; i++) {
    const known = cases + <usize>i * caseSize;
    if (load<i32>(known) === pattern) return known;
  }
  // If there are too many, the last one gives way.
  const found = cases + <usize>min(caseCount, casesMax - 1) * caseSize;
  caseCount = min(caseCount + 1, casesMax);
  const half = <f64>size / 2;
  const middleX = <f64>x + half;
  const middleY = <f64>y + half;
  const met = cull(found + 16, meetCase(list, count, lineCount, pattern, found + 16), middleX, middleY, half);
  store<i32>(found, pattern);
  store<i32>(found, -1, 4);
  store<i32>(found, met, 8);
  if (isDecided(found + 16, met) && settle(found + 16, met, middleX, middleY, half)) {
    store<i32>(found, settledCount, 4);
    for (let i: usize = 0; i < (<usize>settledCount) << 2; i += 4) {
      store<usize>(found + caseFaces + i, load<usize>(settled + i));
    }
  }
  return found;
}

/** Lists the boxes of a case; returns how many it has. */
function meetCase(list: usize, count: i32, lineCount: i32, pattern: i32, into: usize): i32 {
  let missed = 0;
  for (let i = 0; i < count; i++) copyEntry(into + <usize>i * entrySize, list + <usize>i * entrySize);
  for (let i = 0; i < lineCount; i++) {
    const owner = load<i32>(owners + ((<usize>i) << 3));
    const pair = load<i32>(owners + ((<usize>i) << 3), 4);
    const entry = into + <usize>owner * entrySize;
    if ((pattern & (crossingBit << i)) !== 0 || ((load<i32>(entry, 12) >> pair) & 1) === 0) continue;
    if (!decidePair(entry, pair, ((pattern >> i) & 1) !== 0)) missed |= 1 << owner;
  }
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (((missed >> i) & 1) !== 0) continue;
    copyEntry(into + <usize>kept * entrySize, into + <usize>i * entrySize);
    kept++;
  }
  return kept;
}

function drawCase(known: usize, at: usize, x: i32, y: i32): i32 {
  const faceCount = load<i32>(known, 4);
  if (faceCount >= 0) return showFaces(known + caseFaces, faceCount, at, x, y);
  const list = known + 16;
  const count = load<i32>(known, 8);
  if (isDecided(list, count) && settle(list, count, <f64>x + 0.5, <f64>y + 0.5, 0.5)) {
    return showFaces(settled, settledCount, at, x, y);
  }
  return mixBoxes(list, count, x, y);
}
