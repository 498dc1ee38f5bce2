import { framingOf } from "./camera.ts";
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

/** In pixels. */
export function heightOf({ view, width, height = width * view.aspect }: SceneKey): number {
  return height;
}

/** The scene as the core wants it (see `render/core/scene.ts`). */
export function numbersOf(key: SceneKey): Float64Array {
  const { view, model, width, skinScale, capeScale } = key;
  const height = heightOf(key);
  const { frame, boxCount, numbers } = figureFor(view, model);
  const { zoom, centreX, centreY } = framingOf(frame, width, height);
  const head = [width, height, zoom, centreX, centreY, skinScale, capeScale, boxCount];
  const all = new Float64Array(head.length + numbers.length);
  all.set(head);
  all.set(numbers, head.length);
  return all;
}
