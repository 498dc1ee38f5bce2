import { cameraFor, type Frame, frameOf, project } from "./camera.ts";
import { type FigureBox, figureBox, placedCorners } from "./figure-box.ts";
import type { Model } from "./parts.ts";
import { boxesOf, type View } from "./views.ts";

/**
 * A player in front of the camera of a view: all geometry that depends neither on the size of the picture nor
 * on the textures.
 */
export type Figure = {
  readonly boxCount: number;
  /** The boxes as the core wants them (see `render/core/scene.ts`); the opaque ones come first. */
  readonly numbers: Float64Array;
  /**
   * What the picture has to show: the classic model with both layers, so that it is the same for every skin.
   */
  readonly frame: Frame;
};

const biasStep = 1e-4;

const known = new WeakMap<View, Map<Model, Figure>>();

/** The figure of a view. It is worked out once for each view and model, which are few. */
export function figureFor(view: View, model: Model): Figure {
  const models = known.get(view) ?? new Map<Model, Figure>();
  known.set(view, models);
  const figure = models.get(model) ?? buildFigure(view, model);
  models.set(model, figure);
  return figure;
}

function buildFigure(view: View, model: Model): Figure {
  const camera = cameraFor(view);
  const boxes = boxesOf(view, model).map((box, i) => figureBox(box, i * biasStep, { camera, view }));
  boxes.sort((a, b) => Number(b.opaque) - Number(a.opaque));
  const corners = boxesOf({ ...view, layers: "both" }, "classic").flatMap(placedCorners);
  const frame = frameOf(corners.map((corner) => project(camera, corner)));
  return { boxCount: boxes.length, numbers: numbersOf(boxes), frame };
}

function numbersOf(boxes: readonly FigureBox[]): Float64Array {
  const numbers = boxes.flatMap(({ part, opaque, towards, bias, faces }) => [
    Number(opaque),
    towards,
    bias,
    Number(part.sheet === "cape"),
    ...faces.flatMap(({ plane, rect, shade }) => [
      ...plane.flat(),
      ...[rect.x, rect.y, rect.width, rect.height],
      shade,
    ]),
  ]);
  return Float64Array.from(numbers);
}
