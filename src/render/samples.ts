/**
 * The sample points of a pixel of several colours: 2^4 points, so that an edge has 16 steps between its two
 * sides. They are Hammersley points: no two share a row or a column, so that edges close to upright or level,
 * the most frequent ones, are as smooth as slanting ones. A set of samples is a mask: bit i stands for sample
 * i.
 */
const sampleBits = 4;

/** How many samples a pixel has: a power of two. */
export const sampleCount = 2 ** sampleBits;
/** The set of all samples. */
export const allSamples = 2 ** sampleCount - 1;
/** How far each sample lies to the right of the pixel's left side. */
export const samplesX = Float64Array.from({ length: sampleCount }, (_, i) => (i + 0.5) / sampleCount);
/** How far each sample lies below the pixel's upper side. */
export const samplesY = Float64Array.from(
  { length: sampleCount },
  (_, i) => (mirrored(i) + 0.5) / sampleCount,
);

/** A number's bits in reverse order. */
function mirrored(sample: number): number {
  let bits = 0;
  for (let bit = 0; bit < sampleBits; bit++) bits |= ((sample >> bit) & 1) << (sampleBits - 1 - bit);
  return bits;
}

/**
 * The samples at which a linear function is positive: `middle` is its value in the middle of the pixel, the
 * steps are those from a pixel to its right and to its lower neighbour. Most lines pass by most pixels, so
 * that is tested first.
 */
export function positiveSamples(middle: number, stepX: number, stepY: number): number {
  const reach = (Math.abs(stepX) + Math.abs(stepY)) / 2;
  if (middle > reach) return allSamples;
  return middle < -reach ? 0 : partedSamples(middle, stepX, stepY);
}

/**
 * Each bit of a sample's number moves the sample by a way of its own (see `samplesX` and `samplesY`), so 15
 * additions give all 16 values. Comparisons are numbers here and not branches, which nothing could predict:
 * that halves the time.
 */
function partedSamples(middle: number, stepX: number, stepY: number): number {
  const v0 = middle - (stepX + stepY) * (15 / 32);
  const bit1 = stepX / 8 + stepY / 4;
  const bit2 = stepX / 4 + stepY / 8;
  const bit3 = stepX / 2 + stepY / 16;
  const v1 = v0 + stepX / 16 + stepY / 2;
  const v2 = v0 + bit1;
  const v3 = v1 + bit1;
  const v4 = v0 + bit2;
  const v5 = v1 + bit2;
  const v6 = v2 + bit2;
  const v7 = v3 + bit2;
  return (
    Number(v0 > 0) |
    (Number(v1 > 0) << 1) |
    (Number(v2 > 0) << 2) |
    (Number(v3 > 0) << 3) |
    (Number(v4 > 0) << 4) |
    (Number(v5 > 0) << 5) |
    (Number(v6 > 0) << 6) |
    (Number(v7 > 0) << 7) |
    (Number(v0 + bit3 > 0) << 8) |
    (Number(v1 + bit3 > 0) << 9) |
    (Number(v2 + bit3 > 0) << 10) |
    (Number(v3 + bit3 > 0) << 11) |
    (Number(v4 + bit3 > 0) << 12) |
    (Number(v5 + bit3 > 0) << 13) |
    (Number(v6 + bit3 > 0) << 14) |
    (Number(v7 + bit3 > 0) << 15)
  );
}

/** How many samples a set has: its bits are counted in pairs, in fours, in eights. */
export function countSamples(mask: number): number {
  const pairs = mask - ((mask >> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  const eights = (fours + (fours >> 4)) & 0x0f0f;
  return (eights + (eights >> 8)) & 31;
}

/** The sample of a set with the lowest number. The set must not be empty. */
export function firstSample(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** The sample of a set with the highest number. The set must not be empty. */
export function lastSample(mask: number): number {
  return 31 - Math.clz32(mask);
}
