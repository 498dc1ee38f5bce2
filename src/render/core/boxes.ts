import {
  boxes,
  boxCount,
  boxesMax,
  boxIns,
  boxOpaque,
  boxOuts,
  boxPairs,
  boxPairsOf,
  boxSize,
  faceBox,
  faceCount,
  faceKind,
  faceOf,
  faceRounding,
  isPlain,
  kindClear,
  kindOpaque,
  pairFirst,
  pairIns,
  pairKind,
  pairs,
  pairSecond,
  pairsOfBox,
  pairSize,
  pairThrough,
} from "./scene";

/*
 * A list of the boxes that rays through a square may meet. An entry: 0 the box, 4 the faces through which
 * they may enter it, 8 those through which they may leave it, 12 the pairs of faces whose order may differ
 * inside the square.
 */
export const entrySize: usize = 16;
/** Set beside the faces through which rays leave a box: none of them can be seen. */
export const outsHidden = 1 << 8;

/** More than biases differ by, in model units. */
const biasReach: f64 = 2e-3;

/** Lists the boxes of the scene in which there is something to see; returns how many. */
export function listBoxes(list: usize): i32 {
  let count = 0;
  for (let b = 0; b < boxCount; b++) {
    const box = boxes + <usize>b * boxSize;
    const ins = load<i32>(box, boxIns);
    let outs = load<i32>(box, boxOuts);
    const areOutsClear = isPlain && areClear(b, outs);
    if (areOutsClear && areClear(b, ins)) continue;
    if (areOutsClear) outs |= outsHidden;
    const entry = list + <usize>count * entrySize;
    count++;
    store<i32>(entry, b);
    store<i32>(entry, ins, 4);
    store<i32>(entry, outs, 8);
    store<i32>(entry, load<i32>(box, boxPairs), 12);
  }
  return count;
}

function areClear(box: i32, some: i32): bool {
  for (let rest = some; rest !== 0; rest &= rest - 1) {
    if (load<i32>(faceOf(box, ctz(rest)), faceKind) !== kindClear) return false;
  }
  return true;
}

/**
 * Narrows a list down to a square around a point. Nearness is a linear function, so the order of two faces in
 * the corners is that in the whole square. Returns how many boxes are left.
 */
export function narrow(list: usize, count: i32, x: f64, y: f64, half: f64): i32 {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const from = list + <usize>i * entrySize;
    const to = list + <usize>kept * entrySize;
    if (from !== to) copyEntry(to, from);
    if (load<i32>(to, 12) === 0 || decide(to, x, y, half)) kept++;
  }
  return kept;
}

export function copyEntry(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Decides the pairs of an entry; returns whether rays may meet the box at all. */
function decide(entry: usize, x: f64, y: f64, half: f64): bool {
  const b = load<i32>(entry);
  const box = boxes + <usize>b * boxSize;
  const firstPair = pairs + <usize>b * pairsOfBox;
  let open = load<i32>(entry, 12);
  for (let rest = open; rest !== 0; rest &= rest - 1) {
    const bit = ctz(rest);
    const pair = firstPair + <usize>bit * pairSize;
    const lead = load<f64>(pair) + x * load<f64>(pair, 8) + y * load<f64>(pair, 16);
    const reach = half * load<f64>(pair, 24) + load<f64>(pair, 32);
    if (!(abs(lead) > reach)) continue;
    open &= ~(1 << bit);
    const kind = load<i32>(pair, pairKind);
    if (kind === pairThrough) {
      // Rays that leave before they enter pass by.
      if (lead < 0) return false;
      continue;
    }
    // Rays enter through the farthest face, and leave through the nearest one. The other one does not count.
    const isFirstNearer = lead > 0;
    const loses = isFirstNearer === (kind === pairIns) ? pairFirst : pairSecond;
    const loser = load<i32>(pair + loses);
    const faces = entry + (kind === pairIns ? 4 : 8);
    store<i32>(faces, load<i32>(faces) & ~(1 << loser));
    const decided = load<i32>(box + boxPairsOf + ((<usize>loser) << 2));
    open &= ~decided;
    rest &= ~decided | (1 << bit);
  }
  store<i32>(entry, open, 12);
  return true;
}

/** Removes what an opaque box certainly hides in a square; returns how many boxes are left. */
export function cull(list: usize, count: i32, x: f64, y: f64, half: f64): i32 {
  const cover = coverOf(list, count, x, y, half);
  if (cover <= 0) return count;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const from = list + <usize>i * entrySize;
    if (nearest(from, 4, x, y, half) < cover) continue;
    const to = list + <usize>kept * entrySize;
    kept++;
    if (from !== to) copyEntry(to, from);
    if (load<i32>(to, 8) < outsHidden && nearestOut(to, x, y, half) < cover) hideOuts(to);
  }
  return kept;
}

/** Of what lies behind this nearness nothing can be seen. */
function coverOf(list: usize, count: i32, x: f64, y: f64, half: f64): f64 {
  let cover = 0.0;
  for (let i = 0; i < count; i++) {
    const entry = list + <usize>i * entrySize;
    if (load<i32>(entry, 12) !== 0) continue;
    const b = load<i32>(entry);
    const face = faceOf(b, ctz(load<i32>(entry, 4)));
    if (!isCover(face)) continue;
    const near = nearnessAt(face, x, y) - half * slopeOf(face) - load<f64>(face, faceRounding);
    cover = max(cover, near - biasReach * near * near);
  }
  return cover;
}

/** Whether nothing is seen behind a face. */
function isCover(face: usize): bool {
  return (
    load<i32>(boxes + <usize>load<i32>(face, faceBox) * boxSize, boxOpaque) !== 0 ||
    (isPlain && load<i32>(face, faceKind) === kindOpaque)
  );
}

/** Rays enter through the farthest face, so the box is nowhere nearer than any of them can be. */
function nearest(entry: usize, faces: usize, x: f64, y: f64, half: f64): f64 {
  let least = Infinity;
  for (let rest = load<i32>(entry + faces); rest !== 0; rest &= rest - 1) {
    const face = faceOf(load<i32>(entry), ctz(rest));
    least = min(least, nearnessAt(face, x, y) + half * slopeOf(face) + load<f64>(face, faceRounding));
  }
  return least;
}

function nearestOut(entry: usize, x: f64, y: f64, half: f64): f64 {
  let most = 0.0;
  for (let rest = load<i32>(entry, 8); rest !== 0; rest &= rest - 1) {
    const face = faceOf(load<i32>(entry), ctz(rest));
    most = max(most, nearnessAt(face, x, y) + half * slopeOf(face) + load<f64>(face, faceRounding));
  }
  return most;
}

/** Then it does not matter through which of them rays leave. */
function hideOuts(entry: usize): void {
  store<i32>(entry, load<i32>(entry, 8) | outsHidden, 8);
  const b = load<i32>(entry);
  let open = load<i32>(entry, 12);
  for (let rest = open; rest !== 0; rest &= rest - 1) {
    const pair = pairs + <usize>b * pairsOfBox + <usize>ctz(rest) * pairSize;
    if (load<i32>(pair, pairKind) > pairIns) open &= ~(rest & -rest);
  }
  store<i32>(entry, open, 12);
}

export function nearnessAt(face: usize, x: f64, y: f64): f64 {
  return load<f64>(face) + x * load<f64>(face, 8) + y * load<f64>(face, 16);
}

export function slopeOf(face: usize): f64 {
  return abs(load<f64>(face, 8)) + abs(load<f64>(face, 16));
}

/**
 * Compares two faces of different boxes in a square: 1 where the first is in front, -1 behind, 0 if that
 * differs. It is in front where 1 / nearness + bias is less, so where its nearness is greater by more than
 * the difference of the biases times both.
 */
export function compare(one: usize, other: usize, x: f64, y: f64, half: f64): i32 {
  const nearOne = nearnessAt(one, x, y);
  const nearOther = nearnessAt(other, x, y);
  const bias = biasOf(one) - biasOf(other);
  const reachOne = half * slopeOf(one);
  const reachOther = half * slopeOf(other);
  const most = bias * (nearOne + reachOne) * (nearOther + reachOther);
  const least = bias * max(0, nearOne - reachOne) * max(0, nearOther - reachOther);
  const lead = nearOne - nearOther;
  const reach =
    half * (abs(load<f64>(one, 8) - load<f64>(other, 8)) + abs(load<f64>(one, 16) - load<f64>(other, 16))) +
    load<f64>(one, faceRounding) +
    load<f64>(other, faceRounding) +
    (nearOne + nearOther) * 2e-15;
  if (lead - reach > max(most, least)) return 1;
  return lead + reach < min(most, least) ? -1 : 0;
}

export function biasOf(face: usize): f64 {
  return load<f64>(boxes + <usize>load<i32>(face, faceBox) * boxSize);
}

/** What is seen in a square where no two faces change places, from front to back: addresses of faces. */
export const settled = memory.data(boxesMax * 2 * 4, 16);
export let settledCount = 0;

/** Whether the order of all faces of each box is the same in a whole square. */
export function isDecided(list: usize, count: i32): bool {
  let open = 0;
  for (let i = 0; i < count; i++) open |= load<i32>(list + <usize>i * entrySize, 12);
  return open === 0;
}

/** Settles what is seen in a square in which all pairs are decided; returns whether there is one order. */
export function settle(list: usize, count: i32, x: f64, y: f64, half: f64): bool {
  settledCount = 0;
  for (let i = 0; i < count; i++) {
    const entry = list + <usize>i * entrySize;
    const b = load<i32>(entry);
    if (!insert(faceOf(b, ctz(load<i32>(entry, 4))), x, y, half)) return false;
    const outs = load<i32>(entry, 8);
    if (outs >= outsHidden || load<i32>(boxes + <usize>b * boxSize, boxOpaque) !== 0) continue;
    if (!insert(faceOf(b, ctz(outs)), x, y, half)) return false;
  }
  return true;
}

function insert(face: usize, x: f64, y: f64, half: f64): bool {
  if (isPlain && load<i32>(face, faceKind) === kindClear) return true;
  let at = 0;
  for (; at < settledCount; at++) {
    const other = load<usize>(settled + ((<usize>at) << 2));
    // A ray enters a box before it leaves it.
    if (load<i32>(other, faceBox) !== load<i32>(face, faceBox)) {
      const order = compare(face, other, x, y, half);
      if (order === 0) return false;
      if (order > 0) break;
    }
    if (isCover(other)) return true;
  }
  const place = settled + ((<usize>at) << 2);
  if (isCover(face)) settledCount = at + 1;
  else {
    for (let last = settled + ((<usize>settledCount) << 2); last > place; last -= 4) {
      store<usize>(last, load<usize>(last - 4));
    }
    settledCount++;
  }
  store<usize>(place, face);
  return true;
}
