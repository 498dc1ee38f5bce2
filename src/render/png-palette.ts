import { type Bitmap, wordsOf } from "./bitmap.ts";

/** A bitmap of few colours: which they are, and each pixel's number among them. */
export type IndexedBitmap = {
  /** Colours as words (see `wordsOf`); those that are not opaque come first, so that tRNS stays short. */
  readonly colours: Uint32Array;
  readonly translucentCount: number;
  readonly indices: Uint8Array;
};

/** PNG's own limit for colour type 3. */
const coloursMax = 256;
/** Slots of the hash table: a power of two, four times the colours, so that probes stay short. */
const slotCount = 1024;
const emptySlot = -1;

/** Numbers the colours of a bitmap; undefined when there are more than 256. */
export function indexColours(bitmap: Bitmap): IndexedBitmap | undefined {
  const words = wordsOf(bitmap);
  const indices = new Uint8Array(words.length);
  const colours = new Uint32Array(coloursMax);
  const slots = new Int16Array(slotCount).fill(emptySlot);
  let count = 0;
  let previous = ~(words[0] ?? 0) >>> 0;
  let index = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    if (word !== previous) {
      let slot = slotOf(word);
      while ((index = slots[slot] ?? emptySlot) !== emptySlot && colours[index] !== word) {
        slot = (slot + 1) % slotCount;
      }
      if (index === emptySlot) {
        if (count === coloursMax) return undefined;
        index = count++;
        slots[slot] = index;
        colours[index] = word;
      }
      previous = word;
    }
    indices[i] = index;
  }
  return translucentFirst(colours.subarray(0, count), indices);
}

/** Fibonacci hashing: the high bits of the product depend on every bit of the colour. */
function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 22;
}

function translucentFirst(colours: Uint32Array, indices: Uint8Array): IndexedBitmap {
  const translucentCount = colours.reduce((count, word) => count + (isTranslucent(word) ? 1 : 0), 0);
  const sorted = new Uint32Array(colours.length);
  const newIndex = new Uint8Array(colours.length);
  let nextTranslucent = 0;
  let nextOpaque = translucentCount;
  for (const [i, word] of colours.entries()) {
    const place = isTranslucent(word) ? nextTranslucent++ : nextOpaque++;
    sorted[place] = word;
    newIndex[i] = place;
  }
  for (let i = 0; i < indices.length; i++) indices[i] = newIndex[indices[i] ?? 0] ?? 0;
  return { colours: sorted, translucentCount, indices };
}

function isTranslucent(word: number): boolean {
  return word >>> 24 !== 255;
}
