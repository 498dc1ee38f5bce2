/**
 * The figure of a picture in pixels and texels. `src/render/scene.ts` hands it over as one list of numbers: a
 * head (width, height, zoom, centre x, centre y, texels per model unit of the skin and of the cape, how many
 * boxes), then for each box whether it is opaque, how many faces look at the camera, its bias and whether its
 * pictures are on the cape; then for each of its six faces the nine numbers of its plane, its rectangle on
 * the sheet (x, y, width, height) and its brightness.
 */
const headSize: usize = 8 * 8;
const givenFaceSize: usize = 14 * 8;

/** More boxes than any view has. */
export const boxesMax = 16;
export const faceCount = 6;

/*
 * A face: 0 nine numbers of its plane (nearness, column and row times nearness; each at the corner, by x, by
 * y), 72 how much rounding can change its nearness, 80 last column, 88 last row, 96 texels in a row of its
 * sheet, 104 address of its first texel, 108 brightness, 112 kind, 116 its box, 120 and 124 the texel whose
 * colour was last asked for, and that colour; 128 and 136 how much rounding can change the columns and the
 * rows, times nearness; from 144 on what is known of it in a block (see `block.ts`).
 */
const faceSize: usize = 5120;
const faces = memory.data(boxesMax * faceCount * 5120, 16);

export const faceRounding: usize = 72;
export const faceLastColumn: usize = 80;
export const faceLastRow: usize = 88;
export const faceRowLength: usize = 96;
export const faceTexels: usize = 104;
export const faceShade: usize = 108;
export const faceKind: usize = 112;
export const faceBox: usize = 116;
export const faceKnown: usize = 120;
export const faceColour: usize = 124;
export const faceRoundings: usize = 128;
export const faceBlock: usize = 144;

/** What the texels of a face are: only clear ones, only opaque ones, both, or translucent ones as well. */
export const kindClear = 0;
export const kindOpaque = 1;
const kindHoles = 2;
const kindVague = 3;

/*
 * A box: 0 its bias, 8 whether it is opaque, 12 its faces that rays may enter through, 16 those that they may
 * leave through, 20 its pairs of faces, 24 for each face the pairs that it is in. Sets are masks.
 */
export const boxSize: usize = 64;
export const boxes = memory.data(boxesMax * 64, 16);
export const boxOpaque: usize = 8;
export const boxIns: usize = 12;
export const boxOuts: usize = 16;
export const boxPairs: usize = 20;
export const boxPairsOf: usize = 24;

/*
 * A pair of faces of a box: how much nearer the first is than the second, 0 at the picture's corner, 8 by x,
 * 16 by y, 24 the greatest change by a step of 1 in x and in y together, 32 how much rounding can change it;
 * 40 the first face, 44 the second one, 48 its kind.
 */
export const pairSize: usize = 64;
export const pairsOfBox: usize = 16 * 64;
export const pairs = memory.data(boxesMax * 16 * 64, 16);
export const pairFirst: usize = 40;
export const pairSecond: usize = 44;
export const pairKind: usize = 48;

/** Of a pair rays may enter through the first and leave through the second, or through both the same. */
export const pairThrough = 0;
export const pairIns = 1;
export const pairOuts = 2;

/** More than what a few operations lose, of the numbers that went into them. */
const relativeRounding: f64 = 2e-15;

export let width: i32 = 0;
export let height: i32 = 0;
export let boxCount: i32 = 0;
export let pixels: usize = 0;
export let texels: usize = 0;
/** Whether every texel that can be seen is either opaque or clear. */
export let isPlain = false;
/** Whether a table is recorded (see `record.ts`): then texels are numbers, and any texture may come. */
export let isRecording = false;
/** The first row of the picture that is wanted; `height` is the one behind the last. */
export let top: i32 = 0;

/** Sets everything up for a picture. */
export function placeScene(given: usize, texelsAt: usize, pixelsAt: usize, recording: bool): void {
  isRecording = recording;
  top = 0;
  width = <i32>load<f64>(given);
  height = <i32>load<f64>(given, 8);
  boxCount = min(<i32>load<f64>(given, 56), boxesMax);
  texels = texelsAt;
  pixels = pixelsAt;
  isPlain = true;
  let at = given + headSize;
  for (let b = 0; b < boxCount; b++, at += 32 + <usize>faceCount * givenFaceSize) {
    for (let f = 0; f < faceCount; f++) placeFace(b, f, at, given);
    placeBox(b, at);
  }
}

/** Leaves only some rows, to pixels at an address. Both are multiples of the side of a block. */
export function keepRows(from: i32, end: i32, pixelsAt: usize): void {
  top = from;
  height = min(height, end);
  pixels = pixelsAt - ((<usize>(top * width)) << 2);
}

export function endRecording(): void {
  isRecording = false;
}

/** Texels of the skin come first; it is square and 64 units wide. Those of the cape follow. */
function placeFace(b: i32, f: i32, box: usize, given: usize): void {
  const from = box + 32 + <usize>f * givenFaceSize;
  const face = faces + <usize>(b * faceCount + f) * faceSize;
  const isCape = load<f64>(box, 24) !== 0;
  const scale = isCape ? load<f64>(given, 48) : load<f64>(given, 40);
  const skinSide = 64 * load<f64>(given, 40);
  const zoom = load<f64>(given, 16);
  const centreX = load<f64>(given, 24);
  const centreY = load<f64>(given, 32);
  const lastColumn = load<f64>(from, 88) * scale - 1;
  const lastRow = load<f64>(from, 96) * scale - 1;
  let rounding = 0.0;
  for (let i: usize = 0; i < 3; i++) {
    const units = i === 0 ? 1.0 : scale;
    const stepX = (units * load<f64>(from + i * 24)) / zoom;
    const stepY = (units * load<f64>(from + i * 24, 8)) / zoom;
    const corner = units * load<f64>(from + i * 24, 16) - stepX * centreX - stepY * centreY;
    store<f64>(face + i * 24, corner);
    store<f64>(face + i * 24, stepX, 8);
    store<f64>(face + i * 24, stepY, 16);
    const reach = (abs(corner) + abs(stepX) * width + abs(stepY) * height) * relativeRounding;
    if (i === 0) rounding = reach;
    else
      store<f64>(
        face + (i << 3),
        reach + rounding * ((i === 1 ? lastColumn : lastRow) + 1),
        faceRoundings - 8,
      );
  }
  const rowLength = 64 * scale;
  const first =
    (isCape ? skinSide * skinSide : 0) + (load<f64>(from, 80) * rowLength + load<f64>(from, 72)) * scale;
  store<f64>(face, rounding, faceRounding);
  store<f64>(face, lastColumn, faceLastColumn);
  store<f64>(face, lastRow, faceLastRow);
  store<f64>(face, rowLength, faceRowLength);
  store<usize>(face, texels + ((<usize>first) << 2), faceTexels);
  store<i32>(face, <i32>load<f64>(from, 104), faceShade);
  store<i32>(face, b, faceBox);
  // No opaque texel is 0.
  store<i32>(face, 0, faceKnown);
  store<i32>(face, 0, faceBlock);
}

function placeBox(b: i32, from: usize): void {
  const box = boxes + <usize>b * boxSize;
  const isOpaque = load<f64>(from) !== 0;
  const towards = <i32>load<f64>(from, 8);
  store<f64>(box, load<f64>(from, 16));
  store<i32>(box, i32(isOpaque), boxOpaque);
  store<i32>(box, (1 << towards) - 1, boxIns);
  store<i32>(box, ((1 << faceCount) - 1) & ~((1 << towards) - 1), boxOuts);
  for (let f = 0; f < faceCount; f++) {
    const face = faceOf(b, f);
    // The inside of an opaque box is never seen.
    const kind = isOpaque && f >= towards ? kindClear : isRecording ? kindVague : kindOf(face);
    store<i32>(face, kind, faceKind);
    if (kind === kindVague) isPlain = false;
  }
  placePairs(b, towards, isOpaque);
}

function placePairs(b: i32, towards: i32, isOpaque: bool): void {
  const box = boxes + <usize>b * boxSize;
  memory.fill(box + boxPairsOf, 0, faceCount * 4);
  let pair = pairs + <usize>b * pairsOfBox;
  let bit = 1;
  let all = 0;
  for (let f = 0; f < faceCount; f++) {
    for (let g = f + 1; g < faceCount; g++, pair += pairSize, bit <<= 1) {
      const kind = f >= towards ? pairOuts : g < towards ? pairIns : pairThrough;
      if (kind === pairOuts && isOpaque) continue;
      const one = faceOf(b, f);
      const other = faceOf(b, g);
      const stepX = load<f64>(one, 8) - load<f64>(other, 8);
      const stepY = load<f64>(one, 16) - load<f64>(other, 16);
      store<f64>(pair, load<f64>(one) - load<f64>(other));
      store<f64>(pair, stepX, 8);
      store<f64>(pair, stepY, 16);
      store<f64>(pair, abs(stepX) + abs(stepY), 24);
      store<f64>(pair, load<f64>(one, faceRounding) + load<f64>(other, faceRounding), 32);
      store<i32>(pair, f, pairFirst);
      store<i32>(pair, g, pairSecond);
      store<i32>(pair, kind, pairKind);
      addBit(box + boxPairsOf + ((<usize>f) << 2), bit);
      addBit(box + boxPairsOf + ((<usize>g) << 2), bit);
      all |= bit;
    }
  }
  store<i32>(box, all, boxPairs);
}

function addBit(at: usize, bit: i32): void {
  store<i32>(at, load<i32>(at) | bit);
}

export function faceOf(box: i32, face: i32): usize {
  return faces + <usize>(box * faceCount + face) * faceSize;
}

/** Looks at all texels of a face. */
function kindOf(face: usize): i32 {
  const rowBytes = (<usize>load<f64>(face, faceRowLength)) << 2;
  const columns = <usize>load<f64>(face, faceLastColumn) + 1;
  let row = load<usize>(face, faceTexels);
  let someClear = 0;
  let someOpaque = 0;
  for (let rows = <i32>load<f64>(face, faceLastRow); rows >= 0; rows--, row += rowBytes) {
    const end = row + (columns << 2);
    for (let at = row; at < end; at += 4) {
      const alpha = load<u8>(at, 3);
      if (alpha === 0) someClear = 1;
      else if (alpha === 255) someOpaque = 1;
      else return kindVague;
    }
  }
  if (someClear === 0) return kindOpaque;
  return someOpaque === 0 ? kindClear : kindHoles;
}

/** The texel at a place of a face (see `findPlaces`). */
export function texelAt(face: usize, place: u32): i32 {
  const at = (place >>> 16) * <u32>load<f64>(face, faceRowLength) + (place & 0xffff);
  return load<i32>(load<usize>(face, faceTexels) + ((<usize>at) << 2));
}
