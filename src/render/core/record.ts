import { beginLists, hidingBit, isFull, numberBits, partCount } from "./lists";
import {
  boxCount,
  boxes,
  boxOpaque,
  boxSize,
  endRecording,
  faceCount,
  faceLastColumn,
  faceLastRow,
  faceOf,
  faceRowLength,
  faceShade,
  faceTexels,
  height,
  keepRows,
  placeScene,
  texels,
  top,
  width,
} from "./scene";
import { drawRows } from "./tree";

/** A run is a word: how many pixels, and from here on where their list begins. */
export const runBits = 20;
const runMax: u32 = (1 << (32 - runBits)) - 1;
/** Numbers that stand for no texel (see `addTexel`). */
const firstNumber = 2;

/**
 * Records some rows of a figure: draws them with numbers for texels and lists for colours. Writes what each
 * number stands for, how many there are in front; a word for each pixel, the work; runs, how many there are
 * in front; the parts of their lists. Returns how many parts, or -1 if something has no room.
 */
export function record(
  figure: usize,
  from: i32,
  end: i32,
  numbers: usize,
  lights: usize,
  work: usize,
  runs: usize,
  parts: usize,
  partsMax: i32,
): i32 {
  placeScene(figure, 0, work, true);
  keepRows(from, end, work);
  beginLists(parts, partsMax);
  const hasNumbers = numberTexels(numbers, lights);
  if (hasNumbers) drawRows();
  endRecording();
  if (!hasNumbers || isFull()) return -1;
  writeRuns(work, work + ((<usize>(width * (height - top))) << 2), runs);
  return partCount;
}

/**
 * Gives each face texels of its own, which are their numbers. A number stands for a word: where the texel
 * lies among those of the textures, times 256, plus the brightness of its face.
 */
function numberTexels(numbers: usize, lights: usize): bool {
  let number = firstNumber;
  for (let b = 0; b < boxCount; b++) {
    const hiding = load<i32>(boxes + <usize>b * boxSize, boxOpaque) !== 0 ? hidingBit : 0;
    for (let f = 0; f < faceCount; f++) {
      const face = faceOf(b, f);
      const columns = <i32>load<f64>(face, faceLastColumn) + 1;
      const rows = <i32>load<f64>(face, faceLastRow) + 1;
      const rowLength = <usize>load<f64>(face, faceRowLength);
      if (number + columns * rows > numberBits) return false;
      let row = (load<usize>(face, faceTexels) - texels) >> 2;
      store<usize>(face, numbers + ((<usize>number) << 2), faceTexels);
      store<f64>(face, columns, faceRowLength);
      for (let y = 0; y < rows; y++, row += rowLength) {
        for (let x = 0; x < columns; x++, number++) {
          const at = (<usize>number) << 2;
          store<i32>(numbers + at, number | hiding);
          store<usize>(lights + at, ((row + <usize>x) << 8) | load<i32>(face, faceShade));
        }
      }
    }
  }
  store<i32>(lights, number);
  return true;
}

function writeRuns(from: usize, end: usize, runs: usize): void {
  let to = runs;
  for (let at = from; at < end;) {
    const list = load<u32>(at);
    let length: u32 = 0;
    for (; at < end && length < runMax && load<u32>(at) === list; at += 4) length++;
    to += 4;
    store<u32>(to, (length << runBits) | list);
  }
  store<usize>(runs, (to - runs) >> 2);
}
