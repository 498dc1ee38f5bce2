import { type Bounds, boundsOf, boxesOf, type View } from "../../render/views.ts";
import type { Model, Part, Triple } from "../../render/parts.ts";
import {
  add,
  dot,
  rotate,
  type Rotation,
  rotationOf,
  scale,
  subtract,
  type Turn,
} from "../../render/vector.ts";

/**
 * How a player holds himself: the turns of his parts about their pivots, and the turn of all of him about his
 * middle.
 */
export type Pose = {
  readonly parts: View["pose"];
  readonly whole: Turn;
  /** How far he is off the ground, in model units. */
  readonly lift: number;
};

/** A box in its pose, in the axes of the model. */
export type PlacedBox = {
  readonly part: Part;
  /** An opaque box hides what lies behind it, and its inside is never seen. */
  readonly isOpaque: boolean;
  /**
   * Of two surfaces at the same depth, that with the lower bias is seen. In model units, too small to be
   * noticed.
   */
  readonly bias: number;
  /** Where its least corner is now, and the edges that lead from there along its own three axes. */
  readonly corner: Triple;
  readonly edges: Axes;
  /** Where its own three axes look now. */
  readonly axes: Axes;
};
type Axes = Rotation;

/** What the whole player turns about. */
const middle: Triple = [0, 16, 0];
const biasStep = 1e-3;

/** Places all boxes of a view in a pose. The view's own pose is not looked at. */
export function placeBoxes(view: View, model: Model, { parts, whole, lift }: Pose): readonly PlacedBox[] {
  const turn = rotationOf(whole);
  const raised = add(middle, [0, lift, 0]);
  return boxesOf({ ...view, pose: parts }, model).map((box, i): PlacedBox => {
    const rotation = product(turn, rotationOf(box.turn));
    const pivot = add(raised, rotate(turn, subtract(box.part.pivot, middle)));
    const frame: Frame = { rotation, axes: columnsOf(rotation), from: box.part.pivot, to: pivot };
    const placed = place(frame, boundsOf(box));
    return {
      part: box.part,
      isOpaque: box.layer === "first",
      bias: i * biasStep,
      ...placed,
      axes: frame.axes,
    };
  });
}

/** All eight corners. */
export function cornersOf({ corner, edges: [a, b, c] }: Pick<PlacedBox, "corner" | "edges">): Triple[] {
  return bothEnds(bothEnds(bothEnds([corner], a), b), c);
}

function bothEnds(points: readonly Triple[], edge: Triple): Triple[] {
  return points.flatMap((point) => [point, add(point, edge)]);
}

type Frame = { readonly rotation: Rotation; readonly axes: Axes; readonly from: Triple; readonly to: Triple };

function place(
  { rotation, axes, from, to }: Frame,
  { min, max }: Bounds,
): Pick<PlacedBox, "corner" | "edges"> {
  const [w, h, d] = subtract(max, min);
  return {
    corner: add(to, rotate(rotation, subtract(min, from))),
    edges: [scale(axes[0], w), scale(axes[1], h), scale(axes[2], d)],
  };
}

/** First `b`, then `a`. */
function product(a: Rotation, b: Rotation): Rotation {
  const columns = columnsOf(b);
  const row = (one: Triple): Triple => [dot(one, columns[0]), dot(one, columns[1]), dot(one, columns[2])];
  return [row(a[0]), row(a[1]), row(a[2])];
}

function columnsOf([a, b, c]: Rotation): Axes {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}
