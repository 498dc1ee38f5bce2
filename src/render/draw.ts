import { type Canvas, createCanvas } from "./bitmap.ts";
import { framingOf } from "./camera.ts";
import { loadCore, releaseCore, reserve } from "./core.ts";
import { figureFor } from "./figure.ts";
import type { Model } from "./parts.ts";
import type { View } from "./views.ts";

/** What the geometry of a picture depends on; never on what the textures show. */
export type SceneKey = {
  readonly view: View;
  /** Width of the picture in pixels. */
  readonly width: number;
  /** And its height; left out: as the view has it. */
  readonly height?: number;
  readonly model: Model;
  /** Texels per model unit of the skin, and of the cape where the view shows one. */
  readonly skinScale: number;
  readonly capeScale: number;
};

/** Draws a scene with the texels of a skin and, after them, of a cape. */
export function drawScene(key: SceneKey, texels: Uint32Array): Canvas {
  const { view, model, width, height = width * view.aspect, skinScale, capeScale } = key;
  const { frame, boxCount, numbers } = figureFor(view, model);
  const { zoom, centreX, centreY } = framingOf(frame, width, height);
  const head = [width, height, zoom, centreX, centreY, skinScale, capeScale, boxCount];
  const core = loadCore();
  const [figureAt = 0, texelsAt = 0, pixelsAt = 0] = reserve(core, [
    (head.length + numbers.length) * 8,
    texels.byteLength,
    width * height * 4,
  ]);
  const { buffer } = core.memory;
  const figure = new Float64Array(buffer, figureAt);
  figure.set(head);
  figure.set(numbers, head.length);
  new Uint32Array(buffer, texelsAt).set(texels);
  core.draw(figureAt, texelsAt, pixelsAt);
  const canvas = createCanvas(width, height);
  canvas.words.set(new Uint32Array(buffer, pixelsAt, width * height));
  releaseCore();
  return canvas;
}
