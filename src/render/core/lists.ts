/*
 * Tables say what each pixel of a scene shows, whatever the textures are. A pixel shows a list of parts, from
 * front to back, down to the first layer. A part is a word: its lower 15 bits are the number of a texel, the
 * next one says that it is the last part, the upper half is the set of samples that show the texel.
 */
export const numberBits = 0x7fff;
export const lastPart = 0x8000;
/** In the number of a texel: it hides what lies behind it. It is no part of the part. */
export const hidingBit = 0x10000;

/** Lists that differ in parts are seldom equal by chance; only the last one of a hash is remembered. */
const hashes = 4096;
const remembered = memory.data(4096 * 4, 16);

let parts: usize = 0;
let partsMax: i32 = 0;
let first: i32 = 0;
let hash: i32 = 0;
/** How many parts there are. The first one is the list of a pixel that shows nothing. */
export let partCount: i32 = 0;

/** Begins a number of lists at an address, with room for so many parts. */
export function beginLists(at: usize, most: i32): void {
  parts = at;
  partsMax = most;
  store<u32>(parts, lastPart);
  first = partCount = 1;
  memory.fill(remembered, 0, hashes * 4);
}

/** Whether there was no room. */
export function isFull(): bool {
  return partCount >= partsMax;
}

/** Begins a list. What was added since the end of the one before is forgotten. */
export function beginList(): void {
  partCount = first;
  hash = 0;
}

/** Adds a part; returns the samples for which nothing behind it is seen. */
export function addPart(number: i32, shown: i32): i32 {
  const part = (number & numberBits) | (shown << 16);
  if (partCount < partsMax) store<i32>(partAt(partCount++), part);
  hash = (hash ^ part) * 0x9e3779b1;
  return (number & hidingBit) === 0 ? 0 : shown;
}

/** Ends a list; returns where it begins, or where an equal one does. */
export function endList(): i32 {
  if (partCount === first) return 0;
  const last = partAt(partCount - 1);
  store<i32>(last, load<i32>(last) | lastPart);
  const slot = remembered + ((<usize>(hash >>> 20)) << 2);
  const known = load<i32>(slot);
  if (known !== 0 && isSame(known)) {
    partCount = first;
    return known;
  }
  store<i32>(slot, first);
  const start = first;
  first = partCount;
  return start;
}

function isSame(known: i32): bool {
  for (let at = first; at < partCount; at++) {
    if (load<i32>(partAt(known + at - first)) !== load<i32>(partAt(at))) return false;
  }
  return true;
}

function partAt(number: i32): usize {
  return parts + ((<usize>number) << 2);
}
