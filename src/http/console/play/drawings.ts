import type { Launcher } from "../../../words/play.ts";

/*
 * A line drawing for each launcher: where in its window the step with the address is. They repeat what the
 * steps say, so screen readers pass over them. Lines have the colour of the text; what is to be pressed or
 * filled in has the class `play-mark`.
 */

const width = 240;
const height = 132;

/** The drawing as an element. */
export function drawingOf(launcher: Launcher): string {
  const inside = drawings[launcher].join("");
  return `<svg class="play-drawing" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${window()}${inside}</svg>`;
}

type Box = readonly [x: number, y: number, width: number, height: number];

function box([x, y, width, height]: Box, isMarked = false): string {
  const mark = isMarked ? ' class="play-mark"' : "";
  return `<rect${mark} x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>`;
}

/** A line that stands for text. */
function text(x: number, y: number, length: number): string {
  return `<path d="M${x} ${y}h${length}" opacity=".5"/>`;
}

function path(d: string, isMarked = false): string {
  return `<path${isMarked ? ' class="play-mark"' : ""} d="${d}"/>`;
}

/** The window of every launcher, with its title. */
function window(): string {
  return box([1, 1, width - 2, height - 2]) + path(`M1 20h${width - 2}`) + text(12, 11, 40);
}

/** A plus in the middle of a place. */
const plus = (x: number, y: number) => path(`M${x - 5} ${y}h10M${x} ${y - 5}v10`, true);

/** A field; the marked one takes the address, which is drawn as two strokes. */
function field(place: Box, isMarked = false): string {
  const [x, y, , high] = place;
  const middle = y + high / 2;
  const content = isMarked ? path(`M${x + 10} ${middle}h12m8 0h26`, true) : text(x + 10, middle, 42);
  return box(place, isMarked) + content;
}

const drawings: Readonly<Record<Launcher, readonly string[]>> = {
  hmcl: [
    path("M72 20v111"),
    box([10, 30, 52, 18]),
    box([10, 54, 52, 18]),
    box([10, 104, 52, 18], true),
    plus(36, 113),
    box([92, 42, 130, 66]),
    text(104, 56, 60),
    field([104, 68, 106, 24], true),
  ],
  pcl: [
    path("M92 20v111"),
    field([14, 34, 66, 20], true),
    field([14, 60, 66, 20]),
    field([14, 86, 66, 20]),
    path("M22 118h50"),
    text(108, 40, 92),
    text(108, 56, 110),
    box([108, 72, 110, 46]),
  ],
  fjord: [
    path("M176 20v111"),
    box([184, 32, 46, 16]),
    box([184, 54, 46, 16], true),
    plus(207, 62),
    box([184, 76, 46, 16]),
    field([16, 36, 144, 20]),
    field([16, 62, 144, 20]),
    field([16, 88, 144, 20], true),
  ],
  xmcl: [
    box([60, 32, 120, 20]),
    path("M164 39l4 5 4-5"),
    box([60, 52, 120, 30], true),
    plus(74, 67),
    text(88, 67, 72),
    field([60, 92, 120, 22], true),
  ],
  gravit: [
    field([66, 34, 108, 20]),
    field([66, 62, 108, 20]),
    box([66, 92, 108, 24], true),
    path("M108 104h22m-7-6 7 6-7 6", true),
  ],
  own: [path("M120 34v48m-18-16 18 18 18-18", true), path("M84 84v22h72V84"), text(100, 118, 40)],
  other: [
    text(30, 42, 70),
    field([30, 54, 180, 24], true),
    field([30, 88, 84, 20]),
    field([126, 88, 84, 20]),
  ],
};
