import {
  blockColumns,
  blockLines,
  blockLit,
  blockLook,
  blockPlaces,
  blockRow,
  linesMax,
  litTexel,
  lookLines,
  placeLines,
} from "./block";
import { straight } from "./colours";
import { addPart, beginList, endList } from "./lists";
import { lineSize, placesAtSamples, sampleCount, samplesBeyond } from "./samples";
import { faceShade, faceTexels, isRecording } from "./scene";

/** Where each sample of a pixel meets a face. */
const places = memory.data(128, 16);
/** For each border that crosses a pixel the samples beyond it: of borders between columns, between rows. */
const columnMasks = memory.data(linesMax * 4, 16);
const rowMasks = memory.data(linesMax * 4, 16);

/** The sums of the colours of the samples: red and blue in one word, green and alpha in the other. */
let redBlue = 0;
let greenAlpha = 0;
/** With half a step, so that the mean is rounded. */
export const sumStart = (sampleCount / 2) * 0x10001;

/** Begins a pixel. */
export function beginSums(): void {
  if (isRecording) beginList();
  redBlue = sumStart;
  greenAlpha = sumStart;
}

/** The mean of the colours that were added; while a table is recorded where their list begins. */
export function meanOfSums(): i32 {
  if (isRecording) return endList();
  return meanColour(redBlue, greenAlpha);
}

/** The mean of a pixel's colours by their sums. */
export function meanColour(redBlue: i32, greenAlpha: i32): i32 {
  return straight(((redBlue >>> 4) & 0xff00ff) | (((greenAlpha >>> 4) & 0xff00ff) << 8));
}

/**
 * Adds the colours of the opaque texels that some samples show; returns the set of these samples. -1 if there
 * is a translucent texel.
 */
export function addFace(face: usize, mask: i32, at: usize, x: i32, y: i32): i32 {
  if (load<i32>(face, blockLook) !== lookLines) return addSamples(face, mask, x, y);
  const place = load<i32>(face + at, blockPlaces);
  const lit = face + ((<usize>(place & 0xff)) << 2);
  const lines = place >>> placeLines;
  found = 0;
  if (lines === 0) {
    addTexel(load<i32>(lit, blockLit), mask);
    return found;
  }
  const columnLines = lines & ((1 << load<i32>(face, blockColumns)) - 1);
  if ((lines & (lines - 1)) !== 0) return addTexels(face, lit, mask, columnLines, lines & ~columnLines, x, y);
  const beyond = samplesBeyond(face + blockLines + <usize>ctz(lines) * lineSize, x, y);
  if (beyond < 0) return addSamples(face, mask, x, y);
  addTexel(load<i32>(lit, blockLit), mask & ~beyond);
  addTexel(load<i32>(lit + (columnLines !== 0 ? 4 : blockRow * 4), blockLit), mask & beyond);
  return found;
}

/** Adds the texels of a pixel that several borders cross. */
function addTexels(face: usize, lit: usize, mask: i32, columnLines: i32, rowLines: i32, x: i32, y: i32): i32 {
  if (!cross(face, columnLines, columnMasks, x, y) || !cross(face, rowLines, rowMasks, x, y)) {
    return addSamples(face, mask, x, y);
  }
  const columns = popcnt(columnLines);
  const rows = popcnt(rowLines);
  let rest = mask;
  for (let row = 0; row <= rows; row++) {
    const below = row < rows ? load<i32>(rowMasks + ((<usize>row) << 2)) & rest : 0;
    let inRow = rest & ~below;
    const at = lit + ((<usize>(row * blockRow)) << 2);
    for (let column = 0; column < columns; column++) {
      const beyond = load<i32>(columnMasks + ((<usize>column) << 2)) & inRow;
      addTexel(load<i32>(at + ((<usize>column) << 2), blockLit), inRow & ~beyond);
      inRow = beyond;
    }
    addTexel(load<i32>(at + ((<usize>columns) << 2), blockLit), inRow);
    rest = below;
  }
  return found;
}

/** Finds the samples beyond some borders; returns whether there is no doubt about one. */
function cross(face: usize, lines: i32, masks: usize, x: i32, y: i32): bool {
  for (let rest = lines; rest !== 0; rest &= rest - 1, masks += 4) {
    const beyond = samplesBeyond(face + blockLines + <usize>ctz(rest) * lineSize, x, y);
    if (beyond < 0) return false;
    store<i32>(masks, beyond);
  }
  return true;
}

/** The samples for which `addTexel` found opaque texels; -1 once it met a translucent one. */
let found = 0;

/** Adds the colour of a texel, as `prepareBlock` left it, that some samples show. */
export function addTexel(colour: i32, shown: i32): void {
  if (shown === 0 || colour === 0) return;
  // Opaque words are negative.
  if (colour < 0) {
    addColour(colour, popcnt(shown));
    found |= shown;
  } else if (isRecording) found |= addPart(colour, shown);
  else found = -1;
}

/** Adds a colour that so many samples show. */
export function addColour(colour: i32, weight: i32): void {
  redBlue += (colour & 0xff00ff) * weight;
  greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
}

/** The same as `addFace`, by the texel of each sample. */
function addSamples(face: usize, mask: i32, x: i32, y: i32): i32 {
  placesAtSamples(face, x, y, places);
  const texels = load<usize>(face, faceTexels);
  const shade = load<i32>(face, faceShade);
  if (isRecording) return recordSamples(texels, mask);
  if (ASC_FEATURE_SIMD) {
    const shades = i64x2.splat((<i64>shade * 0x100010001) | ((<i64>255) << 48));
    const bits = i32x4(1, 2, 4, 8);
    let sum = i32x4.splat(0);
    let shownBits = 0;
    for (let i = 0; i < sampleCount; i += 4) {
      const at = places + ((<usize>i) << 3);
      let words = v128.load32_zero(texels + ((<usize>load<u32>(at)) << 2));
      words = v128.load_lane<i32>(texels + ((<usize>load<u32>(at, 8)) << 2), words, 1);
      words = v128.load_lane<i32>(texels + ((<usize>load<u32>(at, 16)) << 2), words, 2);
      words = v128.load_lane<i32>(texels + ((<usize>load<u32>(at, 24)) << 2), words, 3);
      const wanted = i32x4.ne(v128.and(i32x4.splat(mask >> i), bits), i32x4.splat(0));
      words = v128.and(words, wanted);
      const alphas = i32x4.shr_u(words, 24);
      const opaque = i32x4.eq(alphas, i32x4.splat(255));
      if (!i32x4.all_true(v128.or(opaque, i32x4.eq(alphas, i32x4.splat(0))))) return -1;
      shownBits |= i32x4.bitmask(opaque) << i;
      words = v128.and(words, opaque);
      sum = i16x8.add(sum, litChannels(i16x8.extend_low_i8x16_u(words), shades));
      sum = i16x8.add(sum, litChannels(i16x8.extend_high_i8x16_u(words), shades));
    }
    addSums(i64x2.extract_lane(sum, 0));
    addSums(i64x2.extract_lane(sum, 1));
    return shownBits;
  } else {
    found = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const place = load<u32>(places + ((<usize>ctz(rest)) << 3));
      addTexel(litTexel(load<i32>(texels + ((<usize>place) << 2)), shade), rest & -rest);
    }
    return found;
  }
}

function recordSamples(texels: usize, mask: i32): i32 {
  found = 0;
  for (let rest = mask; rest !== 0;) {
    const place = load<u32>(places + ((<usize>ctz(rest)) << 3));
    let alike = 0;
    for (let others = rest; others !== 0; others &= others - 1) {
      if (load<u32>(places + ((<usize>ctz(others)) << 3)) === place) alike |= others & -others;
    }
    addTexel(load<i32>(texels + ((<usize>place) << 2)), alike);
    rest &= ~alike;
  }
  return found;
}

/** Adds four sums of 16 bits: of red, green, blue and alpha. */
function addSums(sums: i64): void {
  redBlue += (<i32>(sums & 0xffff)) | ((<i32>(sums >>> 32)) << 16);
  greenAlpha += (<i32>((sums >>> 16) & 0xffff)) | ((<i32>(sums >>> 48)) << 16);
}

/** The colours of two texels in the light of their face (see `opaqueColour`), a channel in each lane. */
function litChannels(channels: v128, shades: v128): v128 {
  const product = i16x8.add(i16x8.mul(channels, shades), i16x8.splat(127));
  return i16x8.shr_u(i16x8.add(i16x8.add(product, i16x8.splat(1)), i16x8.shr_u(product, 8)), 8);
}
