import { type Canvas, createCanvas } from "./bitmap.ts";
import { loadCore, releaseCore, reserve } from "./core.ts";
import { heightOf, numbersOf, type SceneKey } from "./scene.ts";
import { headShare } from "./skin-sheet.ts";
import { drawTable, tableFor } from "./tables.ts";
import { boxesOf } from "./views.ts";

/** More pixels than a picture or a sheet has on a side. */
const sideMax = 8192;

/**
 * Draws a scene with the texels of a skin and, after them, of a cape. Each pixel is the mean of sixteen rays
 * (see `render/core/tree.ts`). The first layer has to be opaque, as `prepareSkin` makes it. A size or a
 * number of texels that cannot be is a RangeError.
 */
export function drawScene(key: SceneKey, texels: Uint32Array): Canvas {
  checkScene(key, texels.length);
  const table = tableFor(key);
  try {
    return table ? drawTable(table, key, texels) : drawDirectly(key, texels);
  } finally {
    releaseCore();
  }
}

function drawDirectly(key: SceneKey, texels: Uint32Array): Canvas {
  const canvas = createCanvas(key.width, heightOf(key));
  const numbers = numbersOf(key);
  const core = loadCore();
  const [numbersAt = 0, texelsAt = 0, pixelsAt = 0] = reserve(core, [
    numbers.byteLength,
    texels.byteLength,
    canvas.words.byteLength,
  ]);
  const { buffer } = core.memory;
  new Float64Array(buffer, numbersAt, numbers.length).set(numbers);
  new Uint32Array(buffer, texelsAt, texels.length).set(texels);
  core.draw(numbersAt, texelsAt, pixelsAt);
  canvas.words.set(new Uint32Array(buffer, pixelsAt, canvas.words.length));
  return canvas;
}

/** The core reads and writes where these numbers lead it. */
function checkScene(key: SceneKey, texels: number): void {
  const { view, width, skinScale, capeScale } = key;
  const height = heightOf(key);
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
