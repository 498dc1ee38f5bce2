import { nearnessAt, slopeOf } from "./boxes";
import { opaqueColour } from "./colours";
import { findPlaces, lineReach, lineSize, placeLine } from "./samples";
import { faceBlock, faceRoundings, faceRowLength, faceShade, faceTexels, isRecording } from "./scene";

/*
 * A block is a small square of the picture. What a face shows in it is found once, when a pixel of the block
 * first shows that face. From `faceBlock` on a face has: 0 the number of the block that this is about, 4 how
 * it is looked at, 8 and 12 how many borders between its columns and between its rows cross the block, 16 its
 * first column and row there. Then its borders, the colours of its texels, and the places of all pixels:
 * sixteen times the row plus the column of the first texel that the pixel shows, and from bit 8 on the
 * borders that cross the pixel.
 */
export const blockSide = 16;
/** How much a row adds to a place, and where its borders begin. */
export const blockRow = 16;
export const placeLines = 8;
export const blockLook = faceBlock + 4;
export const blockColumns = faceBlock + 8;
const blockRows = faceBlock + 12;
export const blockFirst = faceBlock + 16;
export const blockLines = faceBlock + 32;
export const blockLit: usize = 2880;
export const blockPlaces: usize = 3904;

/** Where more borders cross a block than this, most pixels show several, and each sample is looked at. */
export const linesMax = 24;
export const lookLines = 1;
const lookSamples = 2;

/** Stands for the colour of a translucent texel. */
export const vagueColour = 1;

let blockX: i32 = 0;
let blockY: i32 = 0;
let block: i32 = 0;

/** The corners of a block, as `findPlaces` takes them, and what they show. */
const corners = memory.data<f64>([0, 16, 0, 0, 0, 16, 16, 16]);
const shown = memory.data(32, 16);
const wide: f64 = 65536;

/** Begins a picture. */
export function resetBlocks(): void {
  block = 0;
}

/** Goes to a block. */
export function beginBlock(x: i32, y: i32): void {
  blockX = x;
  blockY = y;
  block++;
}

/** Finds what a face shows in the block. */
export function prepareBlock(face: usize): void {
  if (load<i32>(face, faceBlock) === block) return;
  findBlock(face);
}

function findBlock(face: usize): void {
  store<i32>(face, block, faceBlock);
  store<i32>(face, lookSamples, blockLook);
  const half: f64 = blockSide / 2;
  // Beyond the horizon of its plane a face has no texels.
  if (nearnessAt(face, <f64>blockX + half, <f64>blockY + half) <= half * slopeOf(face)) {
    fillPlaces(face, -1);
    return;
  }
  findPlaces(face, <f64>blockX, <f64>blockY, corners, 2, wide, shown);
  const a = load<i32>(shown);
  const b = load<i32>(shown, 8);
  const c = load<i32>(shown, 16);
  const d = load<i32>(shown, 24);
  const top = min(min(a, b), min(c, d)) >>> 16;
  const rows = (max(max(a, b), max(c, d)) >>> 16) - top;
  const left = min(min(a & 0xffff, b & 0xffff), min(c & 0xffff, d & 0xffff));
  const columns = max(max(a & 0xffff, b & 0xffff), max(c & 0xffff, d & 0xffff)) - left;
  if (rows + columns > linesMax || max(rows, columns) >= blockRow) {
    fillPlaces(face, -1);
    return;
  }
  store<i32>(face, lookLines, blockLook);
  store<i32>(face, columns, blockColumns);
  store<i32>(face, rows, blockRows);
  store<i32>(face, left, blockFirst);
  store<i32>(face, top, blockFirst + 4);
  let line = face + blockLines;
  for (let i = 1; i <= columns; i++, line += lineSize) placeBorder(line, face, 0, left + i);
  for (let i = 1; i <= rows; i++, line += lineSize) placeBorder(line, face, 1, top + i);
  lightTexels(face, left, columns, top, rows);
  placePixels(face, columns, columns + rows);
}

/**
 * The border before a column, or before a row: where column times nearness less border times nearness is 0.
 */
function placeBorder(line: usize, face: usize, kind: usize, border: i32): void {
  const at = face + kind * 24;
  const corner = load<f64>(at, 24) - <f64>border * load<f64>(face);
  const stepX = load<f64>(at, 32) - <f64>border * load<f64>(face, 8);
  const stepY = load<f64>(at, 40) - <f64>border * load<f64>(face, 16);
  placeLine(line, corner, stepX, stepY, load<f64>(face + (kind << 3), faceRoundings));
}

function lightTexels(face: usize, left: i32, columns: i32, top: i32, rows: i32): void {
  const rowBytes = (<usize>load<f64>(face, faceRowLength)) << 2;
  const shade = load<i32>(face, faceShade);
  let from = load<usize>(face, faceTexels) + <usize>top * rowBytes + ((<usize>left) << 2);
  let to = face + blockLit;
  for (let row = 0; row <= rows; row++, from += rowBytes, to += blockRow * 4) {
    for (let at: usize = 0; at <= (<usize>columns) << 2; at += 4) {
      store<i32>(to + at, litTexel(load<i32>(from + at), shade));
    }
  }
}

/** The colour of a texel in the light of its face: 0 if it is clear, `vagueColour` if it is translucent. */
export function litTexel(texel: i32, shade: i32): i32 {
  const alpha = texel >>> 24;
  if (alpha === 255) return opaqueColour(texel, shade);
  // While a table is recorded texels are numbers, without alpha.
  return alpha !== 0 ? vagueColour : isRecording ? texel : 0;
}

function placePixels(face: usize, columns: i32, lines: i32): void {
  const pixels = face + blockPlaces;
  fillPlaces(face, 0);
  let line = face + blockLines;
  for (let i = 0; i < lines; i++, line += lineSize) {
    crossPixels(line, pixels, i < columns ? 1 : blockRow, 1 << (placeLines + i));
  }
}

/**
 * Notes a border in the places of all pixels: those beyond it are greater by a unit, those on it get a bit.
 */
export function crossPixels(line: usize, pixels: usize, unit: i32, bit: i32): void {
  const stepX = load<f64>(line, 8);
  const stepY = load<f64>(line, 16);
  const reach = load<f64>(line, lineReach);
  let middle = load<f64>(line) + (<f64>blockX + 0.5) * stepX + (<f64>blockY + 0.5) * stepY;
  const end = pixels + blockSide * blockSide * 4;
  if (ASC_FEATURE_SIMD) {
    const units = i32x4.splat(unit);
    const bits = i32x4.splat(bit);
    const reaches = f32x4.splat(<f32>reach);
    const byX = f32x4.splat(<f32>(4 * stepX));
    const first = f32x4.mul(f32x4.splat(<f32>stepX), f32x4(0, 1, 2, 3));
    const past = abs(stepX) * blockSide + reach;
    for (let at = pixels; at < end; middle += stepY) {
      // Most lines pass by most rows.
      if (middle < -past) {
        at += blockSide * 4;
        continue;
      }
      let value = f32x4.add(f32x4.splat(<f32>middle), first);
      const rowEnd = at + blockSide * 4;
      for (; at < rowEnd; at += 16) {
        const on = v128.and(f32x4.le(f32x4.abs(value), reaches), bits);
        const beyond = v128.and(f32x4.gt(value, reaches), units);
        v128.store(at, i32x4.add(v128.load(at), v128.or(beyond, on)));
        value = f32x4.add(value, byX);
      }
    }
  } else {
    for (let at = pixels; at < end; middle += stepY) {
      let value = middle;
      const rowEnd = at + blockSide * 4;
      for (; at < rowEnd; at += 4, value += stepX) {
        store<i32>(at, load<i32>(at) + (value > reach ? unit : abs(value) <= reach ? bit : 0));
      }
    }
  }
}

/** Where in the places of a block a pixel stands. */
export function placeAt(x: i32, y: i32): usize {
  return (<usize>((y & (blockSide - 1)) * blockSide + (x & (blockSide - 1)))) << 2;
}

/** Gives all pixels a place; -1 stands for any number of borders. */
function fillPlaces(face: usize, place: i64): void {
  const pixels = face + blockPlaces;
  for (let at = pixels; at < pixels + blockSide * blockSide * 4; at += 8) store<i64>(at, place);
}
