import {
  beginBlock,
  blockLit,
  blockPlaces,
  blockSide,
  placeAt,
  placeLines,
  prepareBlock,
  resetBlocks,
  vagueColour,
} from "./block";
import {
  copyEntry,
  cull,
  entrySize,
  isDecided,
  listBoxes,
  narrow,
  settle,
  settled,
  settledCount,
} from "./boxes";
import { addToStack, beginStack, knownColour, stackColour } from "./colours";
import { drawEdges } from "./edges";
import { mixBoxes, showFaces } from "./mix";
import { allSamples, findPlaces } from "./samples";
import { boxesMax, faceShade, height, isRecording, pixels, placeScene, texelAt, top, width } from "./scene";
import { addTexel, beginSums, meanOfSums } from "./texels";

/** A list of boxes for each size of square, from that of the picture down to one pixel. */
const listSize: usize = boxesMax * 16;
const lists = memory.data(16 * boxesMax * 16, 16);

/** The corners of a square, as `findPlaces` takes them, and the places that a face shows there. */
const corners = memory.data(64, 16);
const places = memory.data(32, 16);
const wide: f64 = 65536;

/** Draws a figure (see `placeScene`) with texels at an address to pixels at another one. */
export function draw(figure: usize, texelsAt: usize, pixelsAt: usize): void {
  placeScene(figure, texelsAt, pixelsAt, false);
  drawRows();
}

/** Draws the rows of the scene that are wanted. */
export function drawRows(): void {
  resetBlocks();
  memory.fill(pixels + ((<usize>(top * width)) << 2), 0, (<usize>((height - top) * width)) << 2);
  let size = blockSide;
  while (size < width || size < height) size <<= 1;
  visit(lists, listBoxes(lists), 0, 0, size);
}

/**
 * Draws a square: as one where all rays meet the same faces, otherwise its quarters, down to single pixels.
 */
function visit(list: usize, given: i32, x: i32, y: i32, size: i32): void {
  if (x >= width || y >= height || y + size <= top) return;
  if (size === blockSide) beginBlock(x, y);
  const half = <f64>size / 2;
  const middleX = <f64>x + half;
  const middleY = <f64>y + half;
  const narrowed = narrow(list, given, middleX, middleY, half);
  const count = cull(list, narrowed, middleX, middleY, half);
  if (count === 0) return;
  if (isDecided(list, count) && settle(list, count, middleX, middleY, half)) {
    if (settledCount > 0) fill(x, y, size);
    return;
  }
  if (size <= blockSide && drawEdges(list, count, x, y, size)) return;
  if (size === 1) {
    setPixel(x, y, mixBoxes(list, count, x, y));
    return;
  }
  const next = list + listSize;
  const part = size >> 1;
  for (let i = 0; i < 4; i++) {
    for (let e: usize = 0; e < <usize>count * entrySize; e += entrySize) copyEntry(next + e, list + e);
    visit(next, count, x + (i & 1) * part, y + (i >> 1) * part, part);
  }
}

function setPixel(x: i32, y: i32, word: i32): void {
  store<i32>(pixels + ((<usize>(y * width + x)) << 2), word);
}

/** Fills a square in which the settled faces are seen. */
function fill(x: i32, y: i32, size: i32): void {
  if (x >= width || y >= height || y + size <= top) return;
  if (size <= blockSide) {
    fillPixels(x, y, size);
    return;
  }
  if (fillOnePlace(x, y, size)) return;
  const part = size >> 1;
  for (let i = 0; i < 4; i++) {
    const partX = x + (i & 1) * part;
    const partY = y + (i >> 1) * part;
    if (part === blockSide) beginBlock(partX, partY);
    fill(partX, partY, part);
  }
}

/** Fills a large square if its corners lie in one texel of each face that is seen: then all of it does. */
function fillOnePlace(x: i32, y: i32, size: i32): bool {
  beginStack();
  beginSums();
  let isTranslucent = false;
  store<f64>(corners, <f64>size, 8);
  store<f64>(corners, <f64>size, 40);
  store<f64>(corners, <f64>size, 48);
  store<f64>(corners, <f64>size, 56);
  for (let i = 0; i < settledCount; i++) {
    const face = load<usize>(settled + ((<usize>i) << 2));
    findPlaces(face, <f64>x, <f64>y, corners, 2, wide, places);
    const place = load<i32>(places);
    if (place !== load<i32>(places, 8) || place !== load<i32>(places, 16) || place !== load<i32>(places, 24))
      return false;
    const texel = texelAt(face, place);
    if (isRecording) {
      addTexel(texel, allSamples);
      continue;
    }
    const alpha = texel >>> 24;
    if (alpha === 255 && !isTranslucent) {
      fillWith(knownColour(face, texel), x, y, size);
      return true;
    }
    if (alpha !== 0) isTranslucent = true;
    addToStack(texel, load<i32>(face, faceShade));
  }
  fillWith(isRecording ? meanOfSums() : stackColour(), x, y, size);
  return true;
}

function fillWith(colour: i32, x: i32, y: i32, size: i32): void {
  if (colour === 0) return;
  const columns = min(size, width - x);
  const end = min(y + size, height);
  for (let row = max(y, top); row < end; row++) {
    const start = pixels + ((<usize>(row * width + x)) << 2);
    for (let at = start; at < start + ((<usize>columns) << 2); at += 4) store<i32>(at, colour);
  }
}

/** Fills a square of a block. */
function fillPixels(x: i32, y: i32, size: i32): void {
  const columns = min(size, width - x);
  const rows = min(size, height - y);
  const front = load<usize>(settled);
  prepareBlock(front);
  for (let row = 0; row < rows; row++) {
    const from = placeAt(x, y + row);
    const to = pixels + ((<usize>((y + row) * width + x)) << 2);
    for (let column = 0; column < columns; column++) {
      const at = (<usize>column) << 2;
      // Mostly there is an opaque texel in front, without a border.
      const place = load<u32>(front + from + at, blockPlaces);
      let word = place < 1 << placeLines ? load<i32>(front + ((<usize>place) << 2), blockLit) : vagueColour;
      if (word >= 0) word = showFaces(settled, settledCount, from + at, x + column, y + row);
      store<i32>(to + at, word);
    }
  }
}
