/*
 * Draws skin sheets from rows of characters. A body part is a box; its four sides lie next to each other in
 * the sheet (right, front, left, back), so they are drawn as one strip, in which neighbouring pixels are
 * neighbours on the body too. So the seams match.
 */
import type { Bitmap } from "../../src/render/bitmap.ts";

/** The colour of each character. A full stop leaves the pixel as it is. */
type Legend = Readonly<Record<string, string>>;

/** Rows of characters. In `sides`, bars separate right, front, left and back for the reader. */
export type BoxArt = {
  readonly top?: readonly string[];
  readonly bottom?: readonly string[];
  readonly sides: readonly string[];
};

type Box = { readonly u: number; readonly v: number; readonly width: number; readonly depth: number };

type Rectangle = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The boxes of a 64x64 sheet with 4 pixel arms, both layers. */
export const CLASSIC = {
  head: { u: 0, v: 0, width: 8, depth: 8 },
  hat: { u: 32, v: 0, width: 8, depth: 8 },
  torso: { u: 16, v: 16, width: 8, depth: 4 },
  jacket: { u: 16, v: 32, width: 8, depth: 4 },
  rightArm: { u: 40, v: 16, width: 4, depth: 4 },
  rightSleeve: { u: 40, v: 32, width: 4, depth: 4 },
  leftArm: { u: 32, v: 48, width: 4, depth: 4 },
  leftSleeve: { u: 48, v: 48, width: 4, depth: 4 },
  rightLeg: { u: 0, v: 16, width: 4, depth: 4 },
  rightTrouser: { u: 0, v: 32, width: 4, depth: 4 },
  leftLeg: { u: 16, v: 48, width: 4, depth: 4 },
  leftTrouser: { u: 0, v: 48, width: 4, depth: 4 },
} as const satisfies Record<string, Box>;

type Part = keyof typeof CLASSIC;

/** The same with 3 pixel arms; the free columns stay transparent. */
export const SLIM: Record<Part, Box> = {
  ...CLASSIC,
  rightArm: { ...CLASSIC.rightArm, width: 3 },
  rightSleeve: { ...CLASSIC.rightSleeve, width: 3 },
  leftArm: { ...CLASSIC.leftArm, width: 3 },
  leftSleeve: { ...CLASSIC.leftSleeve, width: 3 },
};

/** Draws a complete sheet. Left limbs mirror the right ones. */
export function drawSkin(
  boxes: Readonly<Record<Part, Box>>,
  legend: Legend,
  arts: Readonly<Record<Exclude<Part, `left${string}`>, BoxArt>>,
): Bitmap {
  const sheet = emptySheet(64, 64);
  const allArts = {
    ...arts,
    leftArm: mirrored(arts.rightArm),
    leftSleeve: mirrored(arts.rightSleeve),
    leftLeg: mirrored(arts.rightLeg),
    leftTrouser: mirrored(arts.rightTrouser),
  };
  for (const part of Object.keys(CLASSIC) as Part[]) drawBox(sheet, boxes[part], allArts[part], legend);
  return sheet;
}

/** Draws a cape's 64x32 sheet. The front of a cape is its outside; the sheet holds one of the two wings. */
export function drawCape(legend: Legend, cape: BoxArt, wing: BoxArt): Bitmap {
  const sheet = emptySheet(64, 32);
  drawBox(sheet, { u: 0, v: 0, width: 10, depth: 1 }, cape, legend);
  drawBox(sheet, { u: 22, v: 0, width: 10, depth: 2 }, wing, legend);
  return sheet;
}

/** The other arm or leg: the outer side stays outside. */
function mirrored(art: BoxArt): BoxArt {
  const { top, bottom } = art;
  return {
    ...(top === undefined ? {} : { top: top.map(reversed) }),
    ...(bottom === undefined ? {} : { bottom: bottom.map(reversed) }),
    sides: art.sides.map(mirroredRow),
  };
}

/** Makes a legend from ramps: the characters of a key name the colours of its ramp, from dark to light. */
export function legendOf(ramps: Readonly<Record<string, readonly string[]>>): Legend {
  const entries = Object.entries(ramps).flatMap(([characters, ramp]) => {
    if (characters.length !== ramp.length)
      throw new Error(`"${characters}" does not fit a ramp of ${ramp.length}`);
    return characters.split("").map((character, shade) => [character, ramp[shade]!] as const);
  });
  if (new Set(entries.map(([character]) => character)).size < entries.length) {
    throw new Error("a character stands for two colours");
  }
  return Object.fromEntries(entries);
}

export function emptySheet(width: number, height: number): Bitmap {
  return { width, height, data: new Uint8Array(width * height * 4) };
}

/** Draws rows of characters into a rectangle that they must fill exactly. */
function drawRows(sheet: Bitmap, area: Rectangle, rows: readonly string[], legend: Legend): void {
  if (rows.length !== area.height)
    throw new Error(`${rows.length} rows in a height of ${area.height}: ${rows[0]}`);
  for (const [down, row] of rows.entries()) {
    if (row.length !== area.width) throw new Error(`"${row}" is ${row.length} wide, not ${area.width}`);
    for (const [across, character] of row.split("").entries()) {
      if (character === ".") continue;
      setPixel(sheet, area.x + across, area.y + down, legend[character] ?? unknown(character, row));
    }
  }
}

/** Sets a pixel to `#rrggbb` or `#rrggbbaa`. */
function setPixel(sheet: Bitmap, x: number, y: number, colour: string): void {
  const digits = colour.length === 7 ? `${colour}ff` : colour;
  new DataView(sheet.data.buffer).setUint32((y * sheet.width + x) * 4, Number.parseInt(digits.slice(1), 16));
}

function drawBox(sheet: Bitmap, box: Box, art: BoxArt, legend: Legend): void {
  const { u, v, width, depth } = box;
  const lid = { y: v, width, height: depth };
  if (art.top !== undefined) drawRows(sheet, { x: u + depth, ...lid }, art.top, legend);
  if (art.bottom !== undefined) drawRows(sheet, { x: u + depth + width, ...lid }, art.bottom, legend);
  const strip = art.sides.map((row) => row.replaceAll("|", ""));
  drawRows(sheet, { x: u, y: v + depth, width: 2 * (width + depth), height: strip.length }, strip, legend);
}

function mirroredRow(row: string): string {
  const [right = "", front = "", left = "", back = ""] = row.split("|");
  return [left, front, right, back].map(reversed).join("|");
}

function reversed(row: string): string {
  return row.split("").toReversed().join("");
}

function unknown(character: string, row: string): never {
  throw new Error(`"${character}" in "${row}" is not in the legend`);
}
