import { describe, expect, test } from "bun:test";
import { createCanvas } from "../../src/render/bitmap.ts";
import { plainCore, simdCore } from "../../src/render/core-binary.ts";
import type { Core } from "../../src/render/core.ts";
import { filterPaeth, undoPaeth } from "../../src/render/paeth.ts";
import { filteredRows } from "./png-fixtures.ts";

/** The same numbers in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const widths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 1024, 4096];
const heights = [1, 2, 7, 8, 9, 16, 33];
const shapes = widths.flatMap((width) => heights.map((height) => ({ width, height })));

describe.each([
  ["SIMD", simdCore],
  ["plain", plainCore],
])("the %s core's Paeth", (_, build) => {
  const module = new WebAssembly.Module(Uint8Array.fromBase64(build));
  const core = new WebAssembly.Instance(module).exports as unknown as Core;

  /** Few levels make equal neighbours, many make none. */
  test.each([2, 3, 256])("filters and undoes as the standard says, with %d levels", (levels) => {
    const next = numbers(levels);
    for (const { width, height } of shapes.filter(({ width, height }) => width * height < 9000)) {
      for (const channels of [3, 4] as const) {
        const canvas = createCanvas(width, height);
        for (let i = 0; i < canvas.data.length; i++) {
          const isAlpha = channels === 3 && i % 4 === 3;
          canvas.data[i] = isAlpha ? 255 : Math.floor(next() * levels) * (255 / (levels - 1));
        }
        const rows = filteredRows({
          width,
          height,
          colourType: channels === 3 ? 2 : 6,
          depth: 8,
          filter: 4,
          sample: (x, y, channel) => canvas.data[(y * width + x) * 4 + channel]!,
        });
        expect(Buffer.compare(filterPaeth(canvas.words, width, channels, core), rows)).toBe(0);
        const undone = createCanvas(width, height);
        undoPaeth(rows, undone, channels, core);
        expect(Buffer.compare(undone.data, canvas.data)).toBe(0);
      }
    }
  });

  test.each([
    [1024, 150],
    [4096, 20],
    [1, 9000],
  ])("goes on from strip to strip: %d x %d", (width, height) => {
    const next = numbers(width);
    const canvas = createCanvas(width, height);
    canvas.words.forEach((_, i) => (canvas.words[i] = next() * 2 ** 32));
    const undone = createCanvas(width, height);
    undoPaeth(filterPaeth(canvas.words, width, 4, core), undone, 4, core);
    expect(Buffer.compare(undone.data, canvas.data)).toBe(0);
  });
});
