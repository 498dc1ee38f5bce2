import { type Canvas, createCanvas } from "./bitmap.ts";
import { framingOf } from "./camera.ts";
import { loadCore, releaseCore, reserve } from "./core.ts";
import { figureFor } from "./figure.ts";
import type { Model } from "./parts.ts";
import { headShare } from "./skin-sheet.ts";
import { boxesOf, type View } from "./views.ts";

/** More pixels than a picture or a sheet has on a side. */
const sideMax = 8192;

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

/**
 * Draws a scene with the texels of a skin and, after them, of a cape. Each pixel is the mean of sixteen rays
 * (see `render/core/tree.ts`). A size or a number of texels that cannot be is a RangeError.
 */
export function drawScene(key: SceneKey, texels: Uint32Array): Canvas {
  const { view, model, width, height = width * view.aspect, skinScale, capeScale } = key;
  checkScene(key, height, texels.length);
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
  new Float64Array(buffer, figureAt, head.length).set(head);
  new Float64Array(buffer, figureAt + head.length * 8, numbers.length).set(numbers);
  new Uint32Array(buffer, texelsAt, texels.length).set(texels);
  core.draw(figureAt, texelsAt, pixelsAt);
  const canvas = createCanvas(width, height);
  canvas.words.set(new Uint32Array(buffer, pixelsAt, width * height));
  releaseCore();
  return canvas;
}

/** The core reads and writes where these numbers lead it. */
function checkScene({ view, width, skinScale, capeScale }: SceneKey, height: number, texels: number): void {
  // Of a skin's file a picture of the head has the rows of the head (see `headRows`).
  const parts = boxesOf(view, "classic").map(({ part }) => part);
  const skin = (64 * skinScale) ** 2 * (parts.every(({ name }) => name === "head") ? headShare : 1);
  const cape = parts.some(({ sheet }) => sheet === "cape") ? 64 * 32 * capeScale ** 2 : 0;
  const isWhole = [width, height, skinScale, capeScale].every(
    (n) => Number.isInteger(n) && n > 0 && n <= sideMax,
  );
  if (isWhole && texels >= skin + cape) return;
  throw new RangeError(`A picture of ${width} x ${height} from ${texels} texels cannot be drawn`);
}
