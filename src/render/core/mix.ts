import {
  blockColumns,
  blockFirst,
  blockLines,
  blockLit,
  blockLook,
  blockPlaces,
  blockRow,
  linesMax,
  litTexel,
  lookLines,
  placeAt,
  placeLines,
  prepareBlock,
  vagueColour,
} from "./block";
import { biasOf, compare, entrySize, outsHidden } from "./boxes";
import { addToStack, beginStack, premultiplied, stackColour, straight } from "./colours";
import {
  allSamples,
  lineSize,
  placesAtSamples,
  sampleCount,
  samplesBefore,
  samplesBeyond,
  samplesNearer,
  samplesOver,
} from "./samples";
import {
  boxes,
  boxOpaque,
  boxSize,
  faceBox,
  faceCount,
  faceKind,
  faceOf,
  faceShade,
  faceTexels,
  isPlain,
  kindClear,
  pairFirst,
  pairKind,
  pairOuts,
  pairs,
  pairSecond,
  pairsOfBox,
  pairSize,
  pairThrough,
  texelAt,
} from "./scene";

/*
 * What the sixteen rays of a pixel meet: surfaces from front to back, each the address of a face and the set
 * of samples that meet it. A surface that is partly in front of another one and partly behind it is listed
 * twice.
 */
const surfacesMax = 512;
const surfaces = memory.data(surfacesMax * 8, 16);
let surfaceCount = 0;

/** The samples that meet each face of a box. */
const faceMasks = memory.data(faceCount * 4, 16);
/** Places of the texels that the samples of each surface show. */
const places = memory.data(surfacesMax * 128, 16);
/** For each border that crosses a pixel the samples beyond it: of borders between columns, between rows. */
const columnMasks = memory.data(linesMax * 4, 16);
const rowMasks = memory.data(linesMax * 4, 16);

/** The sums of the colours of the samples: red and blue in one word, green and alpha in the other. */
let redBlue = 0;
let greenAlpha = 0;
/** With half a step, so that the mean is rounded. */
const sumStart = (sampleCount / 2) * 0x10001;

/** Mixes a pixel in which rays meet the boxes of a list in different ways. */
export function mixBoxes(list: usize, count: i32, x: i32, y: i32): i32 {
  surfaceCount = 0;
  for (let i = 0; i < count; i++) meetBox(list + <usize>i * entrySize, x, y);
  return mix(x, y);
}

/** Mixes a pixel in which all rays meet the same faces: those of a list of addresses. */
export function mixFaces(list: usize, count: i32, x: i32, y: i32): i32 {
  const at = placeAt(x, y);
  let rest = allSamples;
  redBlue = sumStart;
  greenAlpha = sumStart;
  for (let i = 0; i < count && rest !== 0; i++) {
    const face = load<usize>(list + ((<usize>i) << 2));
    prepareBlock(face);
    const shown = addFace(face, rest, at, x, y);
    if (shown < 0) return mixVagueFaces(list, count, x, y);
    rest &= ~shown;
  }
  return mean();
}

/** The same where texels are translucent. Where no border crosses the pixel it shows one stack. */
function mixVagueFaces(list: usize, count: i32, x: i32, y: i32): i32 {
  const at = placeAt(x, y);
  let i = 0;
  beginStack();
  for (; i < count; i++) {
    const face = load<usize>(list + ((<usize>i) << 2));
    prepareBlock(face);
    const place = load<i32>(face + at, blockPlaces);
    if (load<i32>(face, blockLook) !== lookLines || place >>> placeLines !== 0) break;
    const row = load<i32>(face, blockFirst + 4) + place / blockRow;
    const texel = texelAt(face, (row << 16) + load<i32>(face, blockFirst) + (place & (blockRow - 1)));
    addToStack(texel, load<i32>(face, faceShade));
  }
  if (i === count) return stackColour();
  for (let i = 0; i < count; i++) setSurface(i, load<usize>(list + ((<usize>i) << 2)), allSamples);
  surfaceCount = count;
  return mixVague(x, y);
}

function setSurface(i: i32, face: usize, mask: i32): void {
  store<usize>(surfaces + ((<usize>i) << 3), face);
  store<i32>(surfaces + ((<usize>i) << 3), mask, 4);
}

/** Finds the samples that meet each face of a box, and adds these faces. */
function meetBox(entry: usize, x: i32, y: i32): void {
  const b = load<i32>(entry);
  const ins = load<i32>(entry, 4);
  const outs = load<i32>(entry, 8);
  let hit = allSamples;
  for (let i: usize = 0; i < 24; i += 8) store<u64>(faceMasks + i, -1);
  for (let rest = load<i32>(entry, 12); rest !== 0; rest &= rest - 1) {
    const pair = pairs + <usize>b * pairsOfBox + <usize>ctz(rest) * pairSize;
    const kind = load<i32>(pair, pairKind);
    const first = load<i32>(pair, pairFirst);
    const second = load<i32>(pair, pairSecond);
    // A ray leaves through the nearest of the faces that look away: the first one of equal ones.
    const isFirst =
      kind === pairOuts
        ? samplesOfPair(b, pair, second, first, -1, x, y)
        : samplesOfPair(b, pair, first, second, 1, x, y);
    // It enters through the farthest of the others, and passes by if it leaves before.
    if (kind === pairThrough) hit &= isFirst;
    else {
      keepMask(first, ~isFirst);
      keepMask(second, isFirst);
    }
  }
  addFaces(b, ins, hit, x, y);
  if (outs < outsHidden && load<i32>(boxes + <usize>b * boxSize, boxOpaque) === 0)
    addFaces(b, outs, hit, x, y);
}

/** The samples at which one face of a pair is nearer than the other one. */
function samplesOfPair(b: i32, pair: usize, one: i32, other: i32, sign: f64, x: i32, y: i32): i32 {
  const stepX = load<f64>(pair, 8);
  const stepY = load<f64>(pair, 16);
  const middle = load<f64>(pair) + (<f64>x + 0.5) * stepX + (<f64>y + 0.5) * stepY;
  const mask = samplesOver(sign * middle, sign * stepX, sign * stepY, load<f64>(pair, 32));
  return mask < 0 ? samplesNearer(faceOf(b, one), faceOf(b, other), x, y) : mask;
}

function keepMask(face: i32, mask: i32): void {
  const at = faceMasks + ((<usize>face) << 2);
  store<i32>(at, load<i32>(at) & mask);
}

function addFaces(b: i32, some: i32, hit: i32, x: i32, y: i32): void {
  for (let rest = some; rest !== 0; rest &= rest - 1) {
    const face = faceOf(b, ctz(rest));
    const mask = load<i32>(faceMasks + ((<usize>ctz(rest)) << 2)) & hit;
    if (mask === 0 || (isPlain && load<i32>(face, faceKind) === kindClear)) continue;
    addSurface(face, mask, x, y);
  }
}

/** Inserts a face into the samples that it covers, sorted by depth. */
function addSurface(face: usize, mask: i32, x: i32, y: i32): void {
  let rest = mask;
  for (let i = 0; i < surfaceCount; i++) {
    const at = surfaces + ((<usize>i) << 3);
    const both = load<i32>(at, 4) & rest;
    const other = load<usize>(at);
    // A ray enters a box before it leaves it.
    if (both === 0 || load<i32>(other, faceBox) === load<i32>(face, faceBox)) continue;
    const order = compare(face, other, <f64>x + 0.5, <f64>y + 0.5, 0.5);
    if (order < 0) continue;
    const before = order > 0 ? both : both & samplesBefore(face, other, x, y, biasOf(face), biasOf(other));
    if (before === 0) continue;
    for (let last = surfaces + ((<usize>surfaceCount) << 3); last > at; last -= 8) {
      store<u64>(last, load<u64>(last - 8));
    }
    surfaceCount++;
    setSurface(i++, face, before);
    rest &= ~before;
    if (rest === 0) return;
  }
  setSurface(surfaceCount++, face, rest);
}

/** Goes from front to back until opaque texels cover all samples. */
function mix(x: i32, y: i32): i32 {
  const at = placeAt(x, y);
  let rest = allSamples;
  redBlue = sumStart;
  greenAlpha = sumStart;
  for (let i = 0; i < surfaceCount && rest !== 0; i++) {
    const mask = load<i32>(surfaces + ((<usize>i) << 3), 4) & rest;
    if (mask === 0) continue;
    const face = load<usize>(surfaces + ((<usize>i) << 3));
    prepareBlock(face);
    const shown = addFace(face, mask, at, x, y);
    if (shown < 0) return mixVague(x, y);
    rest &= ~shown;
  }
  return mean();
}

function mean(): i32 {
  return straight(((redBlue >>> 4) & 0xff00ff) | (((greenAlpha >>> 4) & 0xff00ff) << 8));
}

/**
 * Adds the colours of the opaque texels that some samples show; returns the set of these samples. -1 if there
 * is a translucent texel.
 */
function addFace(face: usize, mask: i32, at: usize, x: i32, y: i32): i32 {
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
function addTexel(colour: i32, shown: i32): void {
  if (shown === 0 || colour === 0) return;
  if (colour === vagueColour) found = -1;
  else {
    addColour(colour, popcnt(shown));
    found |= shown;
  }
}

function addColour(colour: i32, weight: i32): void {
  redBlue += (colour & 0xff00ff) * weight;
  greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
}

/** The same as `addFace`, by the texel of each sample. */
function addSamples(face: usize, mask: i32, x: i32, y: i32): i32 {
  placesAtSamples(face, x, y, places);
  const texels = load<usize>(face, faceTexels);
  const shade = load<i32>(face, faceShade);
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

/**
 * Mixes stacks of texels, of which some are translucent. If all are the same they are one colour: a mean
 * could round it.
 */
function mixVague(x: i32, y: i32): i32 {
  placeTexels(x, y);
  redBlue = sumStart;
  greenAlpha = sumStart;
  for (let rest = allSamples; rest !== 0;) {
    const alike = takeStack(rest);
    const colour = stackColour();
    if (alike === allSamples) return colour;
    addColour(premultiplied(colour), popcnt(alike));
    rest &= ~alike;
  }
  return mean();
}

/** Finds the texels of all surfaces, down to the first layer, which hides what lies behind it. */
function placeTexels(x: i32, y: i32): void {
  let rest = allSamples;
  for (let i = 0; i < surfaceCount; i++) {
    const at = surfaces + ((<usize>i) << 3);
    const face = load<usize>(at);
    const mask = load<i32>(at, 4) & rest;
    store<i32>(at, mask, 4);
    if (mask === 0) continue;
    placesAtSamples(face, x, y, places + ((<usize>i) << 7));
    if (load<i32>(boxes + <usize>load<i32>(face, faceBox) * boxSize, boxOpaque) !== 0) rest &= ~mask;
  }
}

/** Takes the stack of the first of some samples; returns those of them that show exactly the same. */
function takeStack(samples: i32): i32 {
  const sample = ctz(samples);
  let alike = samples;
  beginStack();
  for (let i = 0; i < surfaceCount; i++) {
    const shown = load<i32>(surfaces + ((<usize>i) << 3), 4);
    if (((shown >> sample) & 1) === 0) {
      alike &= ~shown;
      continue;
    }
    const row = places + ((<usize>i) << 7);
    const place = load<u32>(row + ((<usize>sample) << 3));
    for (let rest = alike & shown; rest !== 0; rest &= rest - 1) {
      if (load<u32>(row + ((<usize>ctz(rest)) << 3)) !== place) alike &= ~(rest & -rest);
    }
    alike &= shown;
    const face = load<usize>(surfaces + ((<usize>i) << 3));
    addToStack(load<i32>(load<usize>(face, faceTexels) + ((<usize>place) << 2)), load<i32>(face, faceShade));
  }
  return alike;
}
