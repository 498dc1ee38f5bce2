/** Two ways to the same picture: by squares of equal faces, and by sixteen rays through each pixel. */
import { describe, expect, test } from "bun:test";
import { type Canvas, createCanvas } from "../../src/render/bitmap.ts";
import { prepareCape } from "../../src/render/cape-sheet.ts";
import { drawScene } from "../../src/render/draw.ts";
import type { SceneKey } from "../../src/render/scene.ts";
import { prepareSkin } from "../../src/render/skin-sheet.ts";
import { forgetTables, hasTable, recordDueTables } from "../../src/render/tables.ts";
import { bodyView, capeView, headView, type View } from "../../src/render/views.ts";
import { paintSkin, variedSkin } from "./paint.ts";
import { drawRays } from "./rays.ts";

type Random = (below: number) => number;

/** Numbers that only look random: the same in each run. */
function random(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Alphas of the second layer of a skin. */
const layers = {
  none: () => 0,
  solid: () => 255,
  holes: (next: Random) => [0, 0, 255][next(3)]!,
  specks: (next: Random) => (next(7) === 0 ? 255 : 0),
  mixed: (next: Random) => [0, 255, 128][next(3)]!,
  glass: (next: Random) => 1 + next(254),
} satisfies Record<string, (next: Random) => number>;

/** A sheet on which every texel has one of some colours. */
function noise(
  scale: number,
  layer: keyof typeof layers,
  [colours, seed]: readonly [number, number],
): Canvas {
  const sheet = createCanvas(64 * scale, 64 * scale);
  const next = random(seed);
  const palette = Array.from({ length: colours }, () => next(2 ** 24));
  for (let i = 0; i < sheet.words.length; i++) {
    sheet.words[i] = ((layers[layer](next) << 24) | palette[next(colours)]!) >>> 0;
  }
  sheet.words[0] = 0; // Opaque everywhere would be a flattened export, without a second layer.
  return sheet;
}

type Picture = { readonly key: SceneKey; readonly texels: Uint32Array };

function picture(
  view: View,
  width: number,
  { skin, model = "classic", cape }: { skin: Canvas; model?: SceneKey["model"]; cape?: Canvas },
): Picture {
  const sheet = prepareSkin({ bitmap: skin, model });
  const behind = cape ? prepareCape(cape) : createCanvas(64, 32);
  const texels = new Uint32Array(sheet.canvas.words.length + behind.words.length);
  texels.set(sheet.canvas.words);
  texels.set(behind.words, sheet.canvas.words.length);
  const scales = { skinScale: sheet.scale, capeScale: behind.width / 64 };
  return { key: { view, width, model: sheet.model, ...scales }, texels };
}

/** Where two pictures differ, as readable places. */
function differences(a: Canvas, b: Canvas): string[] {
  const different: string[] = [];
  for (const [i, word] of a.words.entries()) {
    if (word === b.words[i]) continue;
    different.push(
      `${i % a.width},${Math.floor(i / a.width)}: ${word.toString(16)} ${b.words[i]?.toString(16)}`,
    );
  }
  return different;
}

/** Drawn directly, and by a table where the scene gets one. */
function expectSame({ key, texels }: Picture): void {
  const expected = drawRays(key, texels);
  forgetTables();
  expect(differences(drawScene(key, texels), expected).slice(0, 5)).toEqual([]);
  drawScene(key, texels);
  recordDueTables();
  expect(hasTable(key)).toBe(key.skinScale <= 2 && key.capeScale <= 2);
  expect(differences(drawScene(key, texels), expected).slice(0, 5)).toEqual([]);
}

const slim = noise(1, "mixed", [12, 5]);
const legacy = variedSkin({ height: 32 });
const cape = (scale: number) => noise(scale, "solid", [40, 9]);
const capeSheet = (scale: number) => {
  const sheet = createCanvas(64 * scale, 32 * scale);
  sheet.words.set(cape(scale).words.subarray(0, sheet.words.length));
  return sheet;
};

describe("a picture is the mean of sixteen rays through each pixel, to the bit", () => {
  const skins: Readonly<Record<string, () => { skin: Canvas; model?: SceneKey["model"] }>> = {
    "few colours": () => ({ skin: noise(1, "holes", [2, 1]) }),
    "no second layer": () => ({ skin: noise(1, "none", [30, 2]) }),
    "an opaque second layer": () => ({ skin: noise(1, "solid", [3, 3]) }),
    "a translucent second layer": () => ({ skin: noise(1, "glass", [2, 4]) }),
    "slim arms, all alphas": () => ({ skin: slim, model: "slim" }),
    "the legacy format": () => ({ skin: legacy }),
    "one colour": () => ({ skin: paintSkin(() => [90, 80, 70]) }),
    "specks on a plain skin, at scale 2": () => ({ skin: noise(2, "specks", [1, 14]) }),
    "specks on a plain skin, at scale 8": () => ({ skin: noise(8, "specks", [1, 15]) }),
    "texels of their own at scale 2": () => ({ skin: noise(2, "mixed", [99, 6]) }),
    "large texels at scale 4": () => ({ skin: variedSkin({ scale: 4 }) }),
    "fine texels at scale 8": () => ({ skin: noise(8, "mixed", [999, 7]), model: "slim" }),
  };
  describe.each(Object.keys(skins))("%s", (name) => {
    test.each([
      ["head", headView, [8, 9, 31, 64, 101]],
      ["body", bodyView, [8, 13, 50, 96]],
      ["cape", capeView, [11, 64, 77]],
    ] as const)("%s", (_, view, widths) => {
      for (const width of widths) expectSame(picture(view, width, { ...skins[name]!(), cape: capeSheet(2) }));
    });
  });

  test.each([1, 3, 4])("a cape of scale %d on a skin of scale 2", (scale) => {
    expectSame(picture(capeView, 90, { skin: noise(2, "holes", [5, 8]), cape: capeSheet(scale) }));
  });

  test("at scale 16, and large", () => {
    expectSame(picture(headView, 70, { skin: noise(16, "mixed", [4, 10]) }));
    expectSame(picture(bodyView, 20, { skin: noise(16, "holes", [2, 11]) }));
    expectSame(picture(bodyView, 190, { skin: noise(1, "glass", [3, 12]) }));
    expectSame(
      picture(capeView, 200, { skin: variedSkin({ arms: "slim" }), model: "slim", cape: capeSheet(1) }),
    );
  });

  test("from any side, in any size", () => {
    const next = random(13);
    const names = Object.keys(layers) as (keyof typeof layers)[];
    for (let i = 0; i < 40; i++) {
      const view = { ...[headView, bodyView, capeView][i % 3]!, yaw: next(360), pitch: next(120) - 60 };
      const skin = noise(1 + next(3), names[next(names.length)]!, [1 + next(20), next(1000)]);
      expectSame(
        picture(view, 8 + next(70), { skin, model: i % 2 ? "slim" : "classic", cape: capeSheet(1) }),
      );
    }
  });
});

describe("what no picture may be drawn of", () => {
  test.each([
    ["too few texels", { skinScale: 3 }],
    ["half a texel", { skinScale: 0.5 }],
    ["no size", { width: 0 }],
    ["a broken size", { height: 8.5 }],
  ] as const)("%s", (_, change) => {
    const { key, texels } = picture(headView, 20, { skin: slim });
    expect(() => drawScene({ ...key, ...change }, texels)).toThrow(RangeError);
  });
});
