/** A picture by its definition: of each pixel the mean of sixteen rays, each followed through all boxes. */
import { type Canvas, createCanvas } from "../../src/render/bitmap.ts";
import { framingOf } from "../../src/render/camera.ts";
import type { SceneKey } from "../../src/render/scene.ts";
import { figureFor } from "../../src/render/figure.ts";

type Surface = { readonly depth: number; readonly texel: number; readonly shade: number };
/** The value at the picture's corner, and the steps by x and by y. */
type Linear = readonly [corner: number, stepX: number, stepY: number];
type Face = {
  readonly nearness: Linear;
  readonly columns: Linear;
  readonly rows: Linear;
  readonly texelAt: (column: number, row: number) => number;
  readonly shade: number;
};
type Box = {
  readonly opaque: boolean;
  readonly bias: number;
  readonly ins: readonly Face[];
  readonly outs: readonly Face[];
};

/** The order of the samples from left to right is that of their numbers, from top to bottom of these. */
const samples = Array.from({ length: 16 }, (_, i) => {
  const mirrored = Number.parseInt(i.toString(2).padStart(4, "0").split("").toReversed().join(""), 2);
  return [(i + 0.5) / 16, (mirrored + 0.5) / 16] as const;
});

export function drawRays(key: SceneKey, texels: Uint32Array): Canvas {
  const { view, width, height = width * view.aspect } = key;
  const boxes = boxesOf(key, height);
  const canvas = createCanvas(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const stacks = samples.map(([right, below]) => stackAt(boxes, x + right, y + below));
      canvas.words[y * width + x] = mix(stacks, texels) >>> 0;
    }
  }
  return canvas;
}

function boxesOf({ view, model, width, skinScale, capeScale }: SceneKey, height: number): readonly Box[] {
  const { numbers, boxCount, frame } = figureFor(view, model);
  const { zoom, centreX, centreY } = framingOf(frame, width, height);
  return Array.from({ length: boxCount }, (_, b) => {
    const [opaque, towards, bias, isCape] = [...numbers.subarray(b * 88, b * 88 + 4)] as [...Linear, number];
    const [scale, first] = isCape ? [capeScale, (64 * skinScale) ** 2] : [skinScale, 0];
    const faces = Array.from({ length: 6 }, (_unused, f): Face => {
      const given = numbers.subarray(b * 88 + 4 + f * 14, b * 88 + 18 + f * 14);
      const linear = (at: number, units: number): Linear => {
        const [byX = 0, byY = 0, base = 0] = given.subarray(at);
        const [stepX, stepY] = [(units * byX) / zoom, (units * byY) / zoom];
        return [units * base - stepX * centreX - stepY * centreY, stepX, stepY];
      };
      const [left = 0, top = 0, columns = 0, rows = 0, shade = 0] = given.subarray(9);
      return {
        nearness: linear(0, 1),
        columns: linear(3, scale),
        rows: linear(6, scale),
        shade,
        texelAt: (column, row) =>
          first +
          (top * scale + Math.min(Math.trunc(row), rows * scale - 1)) * 64 * scale +
          left * scale +
          Math.min(Math.trunc(column), columns * scale - 1),
      };
    });
    return { opaque: opaque === 1, bias, ins: faces.slice(0, towards), outs: faces.slice(towards) };
  });
}

const at = ([corner, stepX, stepY]: Linear, x: number, y: number) => corner + x * stepX + y * stepY;

/** What a ray meets from front to back, down to the first box that hides all behind it. */
function stackAt(boxes: readonly Box[], x: number, y: number): readonly Surface[] {
  const surfaces: (Surface & { readonly hides: boolean })[] = [];
  for (const { ins, outs, opaque, bias } of boxes) {
    const near = (face: Face) => at(face.nearness, x, y);
    let [entered, left, nearest] = [ins[0]!, outs[0]!, Infinity];
    for (const face of ins) if (near(face) < nearest) nearest = near((entered = face));
    let farthest = 0;
    for (const face of outs) if (near(face) > farthest) farthest = near((left = face));
    if (farthest >= nearest) continue;
    for (const face of opaque ? [entered] : [entered, left]) {
      const depth = 1 / near(face);
      const texel = face.texelAt(at(face.columns, x, y) * depth, at(face.rows, x, y) * depth);
      surfaces.push({ depth: depth + bias, texel, shade: face.shade, hides: opaque });
    }
  }
  surfaces.sort((a, b) => a.depth - b.depth);
  const end = surfaces.findIndex(({ hides }) => hides);
  return end < 0 ? surfaces : surfaces.slice(0, end + 1);
}

/** The mean of premultiplied colours; if all rays show the same, just that. */
function mix(stacks: readonly (readonly Surface[])[], texels: Uint32Array): number {
  const names = new Set(
    stacks.map((stack) => stack.map(({ texel, shade }) => [texel, shade].join()).join(" ")),
  );
  if (names.size === 1) return word(colourOf(stacks[0]!, texels));
  const sums = [0, 0, 0, 0];
  for (const stack of stacks) {
    const colour = bytes(colourOf(stack, texels));
    const part = colour[3]! / 255;
    bytes(colour.map((value, i) => (i < 3 ? value * part : value))).forEach(
      (value, i) => (sums[i]! += value),
    );
  }
  const [red, green, blue, alpha] = sums.map((sum) => (sum + 8) >> 4) as [number, number, number, number];
  const part = 255 / alpha;
  return alpha === 0 ? 0 : word([red * part, green * part, blue * part, alpha]);
}

/** Surfaces laid over each other: red, green, blue and alpha. */
function colourOf(stack: readonly Surface[], texels: Uint32Array): readonly number[] {
  const sums = [0, 0, 0];
  let clear = 1;
  for (const { texel, shade } of stack) {
    const channels = [0, 8, 16].map((shift) => (texels[texel]! >>> shift) & 255);
    const alpha = texels[texel]! >>> 24;
    if (alpha === 255 && clear === 1) return [...channels.map((value) => value * (shade / 255)), 255];
    const part = (clear * alpha) / 255;
    channels.forEach((value, i) => (sums[i]! += value * ((part * shade) / 255)));
    clear = alpha === 255 ? 0 : clear - part;
    if (clear <= 0) break;
  }
  const cover = 1 - clear;
  return cover > 0 ? [...sums.map((sum) => sum / cover), cover * 255] : [0, 0, 0, 0];
}

const bytes = (colour: readonly number[]) => colour.map((value) => Math.min(255, Math.trunc(value + 0.5)));

function word(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0, alpha = 0] = bytes(colour);
  return (alpha << 24) | (blue << 16) | (green << 8) | red;
}
