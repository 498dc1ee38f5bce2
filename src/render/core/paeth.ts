/**
 * PNG's filter 4 (Paeth): each byte less the one of its left, upper or upper left neighbour that comes
 * closest to left + upper - upper left. Coded rows are a filter byte and pixels of three or four channels.
 * Plain rows are words, each followed by eight that hold nothing; above the first one stands the one before
 * it.
 */

let width: i32 = 0;
let channels: i32 = 4;
let codedBytes: usize = 0;
let plainBytes: usize = 0;

/** Says how wide the rows are that follow, and how many channels their pixels have. */
export function shapeRows(columns: i32, samples: i32): void {
  width = columns;
  channels = samples;
  codedBytes = usize(1 + columns * samples);
  plainBytes = usize(columns + 8) << 2;
}

/**
 * Turns coded rows into plain ones, eight at a time: as many as `rows` and up to seven behind them. Reads up
 * to 40 bytes behind the last one.
 */
export function undoPaeth(coded: usize, plain: usize, rows: i32): void {
  for (let row = 0; row < rows; row += 8) {
    if (ASC_FEATURE_SIMD) undoEightRows(coded + 1, plain);
    else for (let i: usize = 0; i < 8; i++) undoRow(coded + i * codedBytes + 1, plain + i * plainBytes);
    coded += 8 * codedBytes;
    plain += 8 * plainBytes;
  }
}

/**
 * A pixel needs its left neighbour, so one row goes pixel by pixel; but eight go at a time, each a pixel
 * behind the row above. Each step takes one pixel of each row, and upper pixels are those that the step
 * before made.
 */
function undoEightRows(coded: usize, plain: usize): void {
  const opaque = i32x4.splat(channels === 3 ? 0xff000000 : 0);
  const codedStep = codedBytes - channels;
  const plainStep = plainBytes - 4;
  let left = i32x4.splat(0);
  let left2 = left;
  let upperLeft = left;
  let upperLeft2 = left;
  for (let step = 0, end = width + 7; step < end; step++, coded += channels, plain += 4) {
    const upper = shifted(left, v128.load32_splat(plain - plainBytes));
    const upper2 = shifted(left2, left);
    // Rows that have not begun are zeros to the left of their first pixel.
    const at = i32x4.splat(step);
    const begun = i32x4.gt_s(at, i32x4(-1, 0, 1, 2));
    const begun2 = i32x4.gt_s(at, i32x4(3, 4, 5, 6));
    const coded1 = v128.and(load4(coded, codedStep), begun);
    const coded2 = v128.and(load4(coded + 4 * codedStep, codedStep), begun2);
    left = i8x16.add(coded1, guess(left, upper, upperLeft));
    left2 = i8x16.add(coded2, guess(left2, upper2, upperLeft2));
    upperLeft = upper;
    upperLeft2 = upper2;
    store4(plain, plainStep, v128.or(left, opaque));
    store4(plain + 4 * plainStep, plainStep, v128.or(left2, opaque));
  }
}

/** The pixels of four rows, moved one row down behind the last one of the rows before. */
function shifted(pixels: v128, before: v128): v128 {
  return v128.shuffle<u32>(before, pixels, 3, 4, 5, 6);
}

function load4(at: usize, step: usize): v128 {
  let pixels = v128.load32_zero(at);
  pixels = v128.load_lane<u32>(at + step, pixels, 1);
  pixels = v128.load_lane<u32>(at + 2 * step, pixels, 2);
  return v128.load_lane<u32>(at + 3 * step, pixels, 3);
}

function store4(at: usize, step: usize, pixels: v128): void {
  v128.store_lane<u32>(at, pixels, 0);
  v128.store_lane<u32>(at + step, pixels, 1);
  v128.store_lane<u32>(at + 2 * step, pixels, 2);
  v128.store_lane<u32>(at + 3 * step, pixels, 3);
}

/** The guess for sixteen bytes at once. */
function guess(left: v128, upper: v128, upperLeft: v128): v128 {
  const upperMore = i8x16.sub_sat_u(upper, upperLeft);
  const upperLess = i8x16.sub_sat_u(upperLeft, upper);
  const leftMore = i8x16.sub_sat_u(left, upperLeft);
  const leftLess = i8x16.sub_sat_u(upperLeft, left);
  // How far the sum is from each: a distance above 255 is never the least one, so it may stop at 255.
  const toLeft = v128.or(upperMore, upperLess);
  const toUpper = v128.or(leftMore, leftLess);
  const more = i8x16.add_sat_u(upperMore, leftMore);
  const less = i8x16.add_sat_u(upperLess, leftLess);
  const toUpperLeft = v128.or(i8x16.sub_sat_u(more, less), i8x16.sub_sat_u(less, more));
  const least = i8x16.min_u(toLeft, i8x16.min_u(toUpper, toUpperLeft));
  const upperOrBoth = v128.bitselect(upper, upperLeft, i8x16.eq(least, toUpper));
  return v128.bitselect(left, upperOrBoth, i8x16.eq(least, toLeft));
}

/** The same for a row on a machine without SIMD. */
function undoRow(coded: usize, plain: usize): void {
  let left = 0;
  let upperLeft = 0;
  const opaque = channels === 3 ? 0xff000000 : 0;
  for (let x = 0; x < width; x++, coded += channels, plain += 4) {
    const upper = load<i32>(plain - plainBytes);
    left = addBytes(load<i32>(coded), guessWord(left, upper, upperLeft)) | opaque;
    upperLeft = upper;
    store<i32>(plain, left);
  }
}

function addBytes(a: i32, b: i32): i32 {
  return (((a & 0xff00ff) + (b & 0xff00ff)) & 0xff00ff) | (((a & ~0xff00ff) + (b & ~0xff00ff)) & ~0xff00ff);
}

/** Texels are larger than pixels, so mostly two of the three are equal; then the guess is the third. */
function guessWord(left: i32, upper: i32, upperLeft: i32): i32 {
  if (upper === upperLeft) return left;
  if (left === upperLeft) return upper;
  let word = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const a = (left >>> shift) & 255;
    const b = (upper >>> shift) & 255;
    const c = (upperLeft >>> shift) & 255;
    const toLeft = abs(b - c);
    const toUpper = abs(a - c);
    const toUpperLeft = abs(a + b - 2 * c);
    const nearest = toLeft <= toUpper && toLeft <= toUpperLeft ? a : toUpper <= toUpperLeft ? b : c;
    word |= nearest << shift;
  }
  return word;
}

/** Turns plain rows into coded ones. Up to 16 bytes behind the last one are overwritten. */
export function filterPaeth(plain: usize, coded: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    store<u8>(coded, 4);
    if (ASC_FEATURE_SIMD) filterRow(plain, coded + 1);
    else filterRowPlain(plain, coded + 1);
    plain += plainBytes;
    coded += codedBytes;
  }
}

function filterRow(plain: usize, coded: usize): void {
  let before = i32x4.splat(0);
  let upperBefore = before;
  for (const end = plain + (usize(width) << 2); plain < end; plain += 16, coded += 4 * channels) {
    const pixels = v128.load(plain);
    const upper = v128.load(plain - plainBytes);
    const rest = i8x16.sub(pixels, guess(shifted(pixels, before), upper, shifted(upper, upperBefore)));
    before = pixels;
    upperBefore = upper;
    if (channels === 4) v128.store(coded, rest);
    else
      v128.store(coded, i8x16.swizzle(rest, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
  }
}

function filterRowPlain(plain: usize, coded: usize): void {
  let left = 0;
  let upperLeft = 0;
  for (const end = plain + (usize(width) << 2); plain < end; plain += 4, coded += channels) {
    const word = load<i32>(plain);
    const upper = load<i32>(plain - plainBytes);
    store<i32>(coded, addBytes(word, negative(guessWord(left, upper, upperLeft))));
    left = word;
    upperLeft = upper;
  }
}

/** Each byte with the other sign. */
function negative(word: i32): i32 {
  return addBytes(~word, 0x01010101);
}
