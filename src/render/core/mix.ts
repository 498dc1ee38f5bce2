import {
  blockFirst,
  blockLit,
  blockLook,
  blockPlaces,
  blockRow,
  lookLines,
  placeAt,
  placeLines,
  prepareBlock,
} from "./block";
import { biasOf, compare, entrySize, outsHidden } from "./boxes";
import { addToStack, beginStack, premultiplied, stackColour } from "./colours";
import { allSamples, placesAtSamples, samplesBefore, samplesNearer, samplesOver } from "./samples";
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
import { addColour, addFace, beginSums, meanOfSums } from "./texels";

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
/** Mixes a pixel in which rays meet the boxes of a list in different ways. */
export function mixBoxes(list: usize, count: i32, x: i32, y: i32): i32 {
  surfaceCount = 0;
  for (let i = 0; i < count; i++) meetBox(list + <usize>i * entrySize, x, y);
  return mix(x, y);
}

/** The colour of a pixel in which all rays meet the same faces: those of a list of addresses. */
export function showFaces(list: usize, count: i32, at: usize, x: i32, y: i32): i32 {
  // Mostly there is an opaque texel in front, or behind clear ones, without a border.
  for (let i = 0; i < count; i++) {
    const face = load<usize>(list + ((<usize>i) << 2));
    prepareBlock(face);
    const place = load<u32>(face + at, blockPlaces);
    if (place >= 1 << placeLines) return mixFaces(list, count, x, y);
    const word = load<i32>(face + ((<usize>place) << 2), blockLit);
    // Translucent, or a number while a table is recorded: opaque words are negative.
    if (word > 0) return mixFaces(list, count, x, y);
    if (word !== 0) return word;
  }
  return 0;
}

function mixFaces(list: usize, count: i32, x: i32, y: i32): i32 {
  const at = placeAt(x, y);
  let rest = allSamples;
  beginSums();
  for (let i = 0; i < count && rest !== 0; i++) {
    const face = load<usize>(list + ((<usize>i) << 2));
    prepareBlock(face);
    const shown = addFace(face, rest, at, x, y);
    if (shown < 0) return mixVagueFaces(list, count, x, y);
    rest &= ~shown;
  }
  return meanOfSums();
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
  beginSums();
  for (let i = 0; i < surfaceCount && rest !== 0; i++) {
    const mask = load<i32>(surfaces + ((<usize>i) << 3), 4) & rest;
    if (mask === 0) continue;
    const face = load<usize>(surfaces + ((<usize>i) << 3));
    prepareBlock(face);
    const shown = addFace(face, mask, at, x, y);
    if (shown < 0) return mixVague(x, y);
    rest &= ~shown;
  }
  return meanOfSums();
}

/**
 * Mixes stacks of texels, some of them translucent. Where all are the same their colour counts: a mean could
 * round it.
 */
function mixVague(x: i32, y: i32): i32 {
  placeTexels(x, y);
  beginSums();
  for (let rest = allSamples; rest !== 0;) {
    const alike = takeStack(rest);
    const colour = stackColour();
    if (alike === allSamples) return colour;
    addColour(premultiplied(colour), popcnt(alike));
    rest &= ~alike;
  }
  return meanOfSums();
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
