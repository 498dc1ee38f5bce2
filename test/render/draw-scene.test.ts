/** Three ways to the same picture: drawn directly, by a plan, and by sixteen rays through each pixel. */
import { describe, expect, test } from "bun:test";
import { type Canvas, createCanvas, signedWords } from "../../src/render/bitmap.ts";
import { prepareCape } from "../../src/render/cape-sheet.ts";
import { meanColour, premultiplied, stackColour, sumStart } from "../../src/render/colours.ts";
import { drawPlan, drawScene } from "../../src/render/draw.ts";
import { buildPlan } from "../../src/render/plan.ts";
import { allSamples, sampleCount, samplesX, samplesY } from "../../src/render/samples.ts";
import { buildScene, type SceneKey } from "../../src/render/scene.ts";
import { prepareSkin } from "../../src/render/skin-sheet.ts";
import { aimAt, aimAtRow, createStack, createTracer, isSameStack, traceRay } from "../../src/render/trace.ts";
import { bodyView, capeView, headView, type View } from "../../src/render/views.ts";
import { paintSkin, variedSkin } from "./paint.ts";

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

function expectSame({ key, texels }: Picture): void {
  const direct = drawScene(buildScene(key), texels);
  const planned = drawPlan(buildPlan(key), texels);
  expect(differences(direct, planned).slice(0, 5)).toEqual([]);
}

/** The picture by its definition: of each pixel the mean of sixteen rays. */
function drawRays({ key, texels }: Picture): Canvas {
  const scene = buildScene(key);
  const canvas = createCanvas(scene.width, scene.height);
  const tracer = createTracer(scene);
  const [first, stack] = [createStack(scene), createStack(scene)];
  for (let y = 0; y < scene.height; y++) {
    aimAtRow(tracer, y);
    for (let x = 0; x < scene.width; x++) {
      aimAt(tracer, x);
      let [redBlue, greenAlpha, same] = [sumStart, sumStart, 0];
      for (let i = 0; i < sampleCount; i++) {
        const at = i === 0 ? first : stack;
        traceRay(tracer, at, x + samplesX[i]!, y + samplesY[i]!);
        if (isSameStack(first, at)) same++;
        const colour = premultiplied(stackColour(at, 0, at.count, signedWords(texels)));
        redBlue += colour & 0xff00ff;
        greenAlpha += (colour >>> 8) & 0xff00ff;
      }
      const one = stackColour(first, 0, first.count, signedWords(texels));
      canvas.words[y * scene.width + x] = same === sampleCount ? one : meanColour(redBlue, greenAlpha);
    }
  }
  return canvas;
}

const slim = noise(1, "mixed", [12, 5]);
const legacy = variedSkin({ height: 32 });
const cape = (scale: number) => noise(scale, "solid", [40, 9]);
const capeSheet = (scale: number) => {
  const sheet = createCanvas(64 * scale, 32 * scale);
  sheet.words.set(cape(scale).words.subarray(0, sheet.words.length));
  return sheet;
};

describe("drawing directly and by a plan give the same picture to the bit", () => {
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
    expectSame(picture(bodyView, 260, { skin: noise(1, "glass", [3, 12]) }));
    expectSame(
      picture(capeView, 333, { skin: variedSkin({ arms: "slim" }), model: "slim", cape: capeSheet(1) }),
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

describe("a picture is the mean of sixteen rays through each pixel", () => {
  test.each([
    [8, noise(1, "mixed", [8, 20])],
    [37, noise(1, "glass", [2, 21])],
    [90, noise(1, "holes", [2, 22])],
    [130, variedSkin({ scale: 2 })],
    [24, noise(16, "mixed", [200, 23])],
  ] as const)("head, %d pixels", (width, skin) => {
    const head = picture(headView, width, { skin });
    expect(differences(drawScene(buildScene(head.key), head.texels), drawRays(head)).slice(0, 5)).toEqual([]);
  });

  test.each([
    ["body", bodyView],
    ["cape", capeView],
  ] as const)("%s, but for pixels where boxes run into each other", (_, view) => {
    const body = picture(view, 120, { skin: noise(1, "mixed", [4, 24]), cape: capeSheet(1) });
    const different = differences(drawScene(buildScene(body.key), body.texels), drawRays(body));
    expect(different.length).toBeLessThan(120 * 240 * 0.003);
  });

  test.each([90, 180, 270])("level, from %d degrees, where faces are seen edge-on", (yaw) => {
    const view: View = { ...capeView, yaw, pitch: 0 };
    const body = picture(view, 100, { skin: noise(1, "mixed", [4, 25]), cape: capeSheet(1) });
    const different = differences(drawScene(buildScene(body.key), body.texels), drawRays(body));
    expect(different.length).toBeLessThan(100 * 200 * 0.003);
  });

  test("and the sixteen samples are all there are", () => {
    expect(allSamples).toBe(2 ** sampleCount - 1);
    expect(new Set(samplesX).size).toBe(sampleCount);
    expect(new Set(samplesY).size).toBe(sampleCount);
  });
});
