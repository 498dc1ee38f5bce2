import { faceLastColumn, faceLastRow, faceRowLength } from "./scene";

/**
 * The sample points of a pixel: 2^4 points, so that an edge has 16 steps between its two sides. They are
 * Hammersley points: no two share a row or a column, so that edges close to upright or level, the most
 * frequent ones, are as smooth as slanting ones. A set of samples is a mask: bit i stands for sample i.
 */
export const sampleCount = 16;
export const allSamples = 0xffff;

/**
 * Where the samples lie in their pixel, in pairs: two x, two y. From left to right the y are the numbers of
 * the samples with their bits in reverse order.
 */
const samples = memory.data<f64>([
  0.03125, 0.09375, 0.03125, 0.53125, 0.15625, 0.21875, 0.28125, 0.78125, 0.28125, 0.34375, 0.15625, 0.65625,
  0.40625, 0.46875, 0.40625, 0.90625, 0.53125, 0.59375, 0.09375, 0.59375, 0.65625, 0.71875, 0.34375, 0.84375,
  0.78125, 0.84375, 0.21875, 0.71875, 0.90625, 0.96875, 0.46875, 0.96875,
]);

/** The same from the pixel's middle, in fours: four x, four y. */
const fromMiddle = memory.data<f32>([
  -0.46875, -0.40625, -0.34375, -0.28125, -0.46875, 0.03125, -0.21875, 0.28125, -0.21875, -0.15625, -0.09375,
  -0.03125, -0.34375, 0.15625, -0.09375, 0.40625, 0.03125, 0.09375, 0.15625, 0.21875, -0.40625, 0.09375,
  -0.15625, 0.34375, 0.28125, 0.34375, 0.40625, 0.46875, -0.28125, 0.21875, -0.03125, 0.46875,
]);
/** More than what numbers of 32 bits lose, of the greatest of them. */
const singleRounding: f64 = 4e-6;

const nearOne = memory.data(128, 16);
const nearOther = memory.data(128, 16);

/** Added to a whole number, it leaves that number in the lower half of the sum's bits. */
const wholes: f64 = 4503599627370496;

/** Writes which texel of a face each sample of a pixel meets: sixteen places, counted row by row. */
export function placesAtSamples(face: usize, x: i32, y: i32, into: usize): void {
  findPlaces(face, <f64>x, <f64>y, samples, sampleCount / 2, load<f64>(face, faceRowLength), into);
}

/**
 * Writes the places of the texels of a face at pairs of points, which lie so far from a point: two x, two y.
 * A place has 8 bytes; in its lower half a row counts for so many columns. Cutting a fraction off towards
 * zero puts right what rounding moved before the first column or row.
 */
export function findPlaces(
  face: usize,
  x: f64,
  y: f64,
  points: usize,
  pairs: i32,
  unit: f64,
  into: usize,
): void {
  const end = into + ((<usize>pairs) << 4);
  if (ASC_FEATURE_SIMD) {
    const near = f64x2.splat(load<f64>(face));
    const nearByX = f64x2.splat(load<f64>(face, 8));
    const nearByY = f64x2.splat(load<f64>(face, 16));
    const columns = f64x2.splat(load<f64>(face, 24));
    const columnsByX = f64x2.splat(load<f64>(face, 32));
    const columnsByY = f64x2.splat(load<f64>(face, 40));
    const rows = f64x2.splat(load<f64>(face, 48));
    const rowsByX = f64x2.splat(load<f64>(face, 56));
    const rowsByY = f64x2.splat(load<f64>(face, 64));
    const lastColumn = f64x2.splat(load<f64>(face, faceLastColumn));
    const lastRow = f64x2.splat(load<f64>(face, faceLastRow));
    const rowUnits = f64x2.splat(unit);
    const left = f64x2.splat(x);
    const top = f64x2.splat(y);
    const zero = f64x2.splat(0);
    for (; into < end; into += 16, points += 32) {
      const atX = f64x2.add(left, v128.load(points));
      const atY = f64x2.add(top, v128.load(points, 16));
      const depth = f64x2.div(
        f64x2.splat(1),
        f64x2.add(f64x2.add(near, f64x2.mul(atX, nearByX)), f64x2.mul(atY, nearByY)),
      );
      const column = f64x2.mul(
        f64x2.add(f64x2.add(columns, f64x2.mul(atX, columnsByX)), f64x2.mul(atY, columnsByY)),
        depth,
      );
      const row = f64x2.mul(
        f64x2.add(f64x2.add(rows, f64x2.mul(atX, rowsByX)), f64x2.mul(atY, rowsByY)),
        depth,
      );
      // What is no number becomes the last one.
      const place = f64x2.add(
        f64x2.mul(f64x2.trunc(f64x2.pmax(zero, f64x2.pmin(lastRow, row))), rowUnits),
        f64x2.trunc(f64x2.pmax(zero, f64x2.pmin(lastColumn, column))),
      );
      v128.store(into, f64x2.add(place, f64x2.splat(wholes)));
    }
  } else {
    for (; into < end; into += 16, points += 32) {
      for (let i: usize = 0; i < 16; i += 8) {
        store<u64>(into + i, placeOf(face, x + load<f64>(points + i), y + load<f64>(points + i, 16), unit));
      }
    }
  }
}

/** The same at one point. */
function placeOf(face: usize, x: f64, y: f64, unit: f64): u64 {
  const depth = 1 / (load<f64>(face) + x * load<f64>(face, 8) + y * load<f64>(face, 16));
  const column = (load<f64>(face, 24) + x * load<f64>(face, 32) + y * load<f64>(face, 40)) * depth;
  const row = (load<f64>(face, 48) + x * load<f64>(face, 56) + y * load<f64>(face, 64)) * depth;
  const atRow = bounded(row, load<f64>(face, faceLastRow));
  return reinterpret<u64>(atRow * unit + bounded(column, load<f64>(face, faceLastColumn)) + wholes);
}

function bounded(value: f64, last: f64): f64 {
  return value < last ? trunc(max(0, value)) : last;
}

/**
 * The samples at which a linear function is positive: `middle` is its value in the middle of the pixel, the
 * steps are those by a pixel to the right and downwards. -1 if it is so close to 0 at a sample that rounding
 * decides there.
 */
export function samplesOver(middle: f64, stepX: f64, stepY: f64, rounding: f64): i32 {
  const reach = (abs(stepX) + abs(stepY)) / 2;
  if (middle > reach + rounding) return allSamples;
  if (middle < -reach - rounding) return 0;
  let mask = 0;
  if (ASC_FEATURE_SIMD) {
    const middles = f32x4.splat(<f32>middle);
    const byX = f32x4.splat(<f32>stepX);
    const byY = f32x4.splat(<f32>stepY);
    let least = f32x4.splat(<f32>reach);
    for (let i = 0; i < sampleCount; i += 4) {
      const at = fromMiddle + ((<usize>i) << 3);
      const value = f32x4.add(
        f32x4.add(middles, f32x4.mul(byX, v128.load(at))),
        f32x4.mul(byY, v128.load(at, 16)),
      );
      mask |= i32x4.bitmask(f32x4.gt(value, f32x4.splat(0))) << i;
      least = f32x4.pmin(least, f32x4.abs(value));
    }
    const doubt = f32x4.splat(<f32>(reach * singleRounding + rounding));
    return v128.any_true(f32x4.lt(least, doubt)) ? -1 : mask;
  } else {
    for (let i = 0; i < sampleCount; i++) {
      const at = fromMiddle + ((<usize>(i & ~3)) << 3) + ((<usize>(i & 3)) << 2);
      const value = middle + stepX * <f64>load<f32>(at) + stepY * <f64>load<f32>(at, 16);
      if (abs(value) < rounding) return -1;
      mask |= i32(value > 0) << i;
    }
    return mask;
  }
}

/**
 * A linear function near a pixel: 0 its value at the picture's corner, 8 and 16 its steps by x and by y, 24
 * how far it can be from 0 in the middle of a pixel in which it is 0 somewhere, 32 how close to 0 rounding
 * decides, 48 for each sample how much greater it is in the middle than there.
 */
export const lineSize: usize = 112;
export const lineReach: usize = 24;

/** Sets a line up. */
export function placeLine(line: usize, corner: f64, stepX: f64, stepY: f64, rounding: f64): void {
  const reach = (abs(stepX) + abs(stepY)) / 2;
  store<f64>(line, corner);
  store<f64>(line, stepX, 8);
  store<f64>(line, stepY, 16);
  store<f64>(line, reach * 1.0001 + rounding, lineReach);
  store<f32>(line, <f32>(reach * singleRounding + rounding), 32);
  if (ASC_FEATURE_SIMD) {
    const byX = f32x4.splat(<f32>-stepX);
    const byY = f32x4.splat(<f32>-stepY);
    for (let i: usize = 0; i < 64; i += 16) {
      const at = fromMiddle + i * 2;
      v128.store(line + i, f32x4.add(f32x4.mul(byX, v128.load(at)), f32x4.mul(byY, v128.load(at, 16))), 48);
    }
  } else {
    for (let i: usize = 0; i < 64; i += 4) {
      const at = fromMiddle + (i & ~15) * 2 + (i & 15);
      store<f32>(line + i, <f32>-(stepX * <f64>load<f32>(at) + stepY * <f64>load<f32>(at, 16)), 48);
    }
  }
}

/** The samples of a pixel at which a line is positive; -1 as above. */
export function samplesBeyond(line: usize, x: i32, y: i32): i32 {
  const byX = (<f64>x + 0.5) * load<f64>(line, 8);
  const value = <f32>(load<f64>(line) + byX + (<f64>y + 0.5) * load<f64>(line, 16));
  const doubt = load<f32>(line, 32);
  if (ASC_FEATURE_SIMD) {
    const values = f32x4.splat(value);
    const a = f32x4.sub(v128.load(line, 48), values);
    const b = f32x4.sub(v128.load(line, 64), values);
    const c = f32x4.sub(v128.load(line, 80), values);
    const d = f32x4.sub(v128.load(line, 96), values);
    const least = f32x4.pmin(f32x4.pmin(f32x4.abs(a), f32x4.abs(b)), f32x4.pmin(f32x4.abs(c), f32x4.abs(d)));
    if (v128.any_true(f32x4.lt(least, f32x4.splat(doubt)))) return -1;
    // Narrowing keeps the signs, all sixteen of which are then read at once.
    return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
  } else {
    let mask = 0;
    for (let i = 0; i < sampleCount; i++) {
      const less = load<f32>(line + ((<usize>i) << 2), 48) - value;
      if (abs(less) < doubt) return -1;
      mask |= i32(less < 0) << i;
    }
    return mask;
  }
}

/** The samples at which one face is nearer than another one. */
export function samplesNearer(one: usize, other: usize, x: i32, y: i32): i32 {
  nearnessAtSamples(one, x, y, nearOne);
  nearnessAtSamples(other, x, y, nearOther);
  let mask = 0;
  for (let i = 0; i < sampleCount; i++) {
    mask |= i32(load<f64>(nearOne + ((<usize>i) << 3)) > load<f64>(nearOther + ((<usize>i) << 3))) << i;
  }
  return mask;
}

/** The samples at which a face is in front of another one, biases included. */
export function samplesBefore(one: usize, other: usize, x: i32, y: i32, bias: f64, otherBias: f64): i32 {
  nearnessAtSamples(one, x, y, nearOne);
  nearnessAtSamples(other, x, y, nearOther);
  let mask = 0;
  for (let i = 0; i < sampleCount; i++) {
    const depth = 1 / load<f64>(nearOne + ((<usize>i) << 3)) + bias;
    mask |= i32(depth < 1 / load<f64>(nearOther + ((<usize>i) << 3)) + otherBias) << i;
  }
  return mask;
}

/** Writes the nearness of a face at each sample of a pixel: sixteen numbers. */
function nearnessAtSamples(face: usize, x: i32, y: i32, into: usize): void {
  for (let i: usize = 0; i < 128; i += 8) {
    const point = samples + (i & ~15) * 2 + (i & 8);
    const atX = <f64>x + load<f64>(point);
    const atY = <f64>y + load<f64>(point, 16);
    store<f64>(into + i, load<f64>(face) + atX * load<f64>(face, 8) + atY * load<f64>(face, 16));
  }
}
