import {
  cape,
  type Layer,
  type Model,
  type Part,
  type PartName,
  playerParts,
  type Triple,
  wings,
} from "./parts.ts";
import { radians, type Turn } from "./vector.ts";

/**
 * A 3D picture: who stands there, in which pose, and from where he is seen. A new view is a new row of this
 * table.
 */
export type View = {
  readonly name: string;
  /** The parts that are drawn; each in both layers where it has two, unless `layers` says otherwise. */
  readonly parts: readonly PartName[];
  /** `first`: the body without what is worn over it. The picture's frame stays the same. */
  readonly layers?: "both" | "first";
  /** Parts that are turned about their pivots. */
  readonly pose: Readonly<Partial<Record<PartName, Turn>>>;
  /** Where the camera stands: degrees about the player from straight in front towards the player's left. */
  readonly yaw: number;
  /** Degrees that the camera stands above the level of what it looks at. */
  readonly pitch: number;
  /** What the camera looks at. */
  readonly target: Triple;
  /** Distance from camera to target, in model units: the smaller, the stronger the perspective. */
  readonly distance: number;
  /** Height of the picture over its width. */
  readonly aspect: 1 | 2;
};

const arms = { rightArm: { roll: -3 }, leftArm: { roll: 3 } } as const;
const wholePlayer: readonly PartName[] = ["head", "rightArm", "leftArm", "torso", "rightLeg", "leftLeg"];

/** The head by itself, so near that the perspective shows. */
export const headView: View = {
  name: "head",
  parts: ["head"],
  pose: {},
  yaw: 30,
  pitch: 20,
  target: [0, 28, 0],
  distance: 40,
  aspect: 1,
};

/** The whole player, three-quarter front. */
export const bodyView: View = {
  name: "body",
  parts: wholePlayer,
  pose: arms,
  yaw: 24,
  pitch: 10,
  target: [0, 16, 0],
  distance: 90,
  aspect: 2,
};

/** The whole player from behind, turned enough to see how far the cape hangs off the back. */
export const capeView: View = {
  name: "cape",
  parts: [...wholePlayer, "cape"],
  pose: { ...arms, cape: { pitch: -6, yaw: 180 } },
  yaw: 204,
  pitch: 10,
  target: [0, 16, 0],
  distance: 90,
  aspect: 2,
};

/** The whole player from behind, with an elytra at rest: its wings are folded, as when a player stands. */
export const elytraView: View = {
  ...capeView,
  name: "elytra",
  parts: [...wholePlayer, "leftWing", "rightWing"],
  pose: { ...arms, leftWing: { pitch: 15, roll: 15 }, rightWing: { pitch: 15, roll: -15 } },
};

/**
 * From which side of the player an isometric picture is seen: on that of the player's right, the face looks
 * to image-right.
 */
type Side = "right" | "left";

/** So far away that no perspective is left to see. */
const isometricDistance = 4000;

/**
 * Head or whole player in isometric projection: three axes of equal length, the face on one half of the
 * picture.
 */
export function isometricView(of: "head" | "body", layers: "both" | "first", side: Side): View {
  const view = isometricViews.find(({ name }) => name === isometricName(of, layers, side));
  if (view === undefined) throw new Error("Every isometric view is listed");
  return view;
}

const isometricViews: readonly View[] = (["head", "body"] as const).flatMap((of) =>
  (["both", "first"] as const).flatMap((layers) =>
    (["right", "left"] as const).map((side): View => ({
      name: isometricName(of, layers, side),
      parts: of === "head" ? ["head"] : wholePlayer,
      layers,
      pose: {},
      yaw: side === "right" ? -45 : 45,
      pitch: 35.264_389_7,
      target: of === "head" ? headView.target : bodyView.target,
      distance: isometricDistance,
      aspect: of === "head" ? 1 : 2,
    })),
  ),
);

function isometricName(of: string, layers: string, side: string): string {
  return `isometric-${of}-${layers}-${side}`;
}

/** A box to draw: a part in one layer and its pose. */
export type PosedBox = { readonly part: Part; readonly layer: Layer; readonly turn: Turn };

/** All boxes of a view. If two faces lie in one plane, the earlier box's face is seen. */
export function boxesOf(view: View, model: Model): readonly PosedBox[] {
  const parts = [...playerParts(model), cape, ...wings].filter((part) => view.parts.includes(part.name));
  return parts.flatMap((part) => {
    const turn = view.pose[part.name] ?? {};
    return layersOf(part, view).map((layer) => ({ part, layer, turn }));
  });
}

function layersOf({ second, isOverlay }: Part, { layers }: View): readonly Layer[] {
  if (isOverlay) return ["second"];
  return second && layers !== "first" ? ["first", "second"] : ["first"];
}

/** Two opposite corners of a box. */
export type Bounds = { readonly min: Triple; readonly max: Triple };

/** Least and greatest corner of a box before its turn. */
export function boundsOf({ part, layer }: PosedBox): Bounds {
  const grow = layer === "second" ? (part.second?.inflation ?? 0) : 0;
  const [x, y, z] = part.from;
  const [w, h, d] = part.size;
  return {
    min: [x - grow, y - grow, z - grow],
    max: [x + w + grow, y + h + grow, z + d + grow],
  };
}

/** All eight corners. */
export function cornersOf({ min, max }: Bounds): Triple[] {
  const ends = [min, max];
  return ends.flatMap(([x]) => ends.flatMap(([, y]) => ends.map(([, , z]): Triple => [x, y, z])));
}

/** Light that reaches a face that is turned away from the lamp, 0 to 1. */
const ambientLight = 0.55;

/**
 * How bright a face is, 0 to 1: one soft lamp in front of the picture at the upper left, as the camera sees
 * it, so that it moves about the player with the camera.
 */
export function brightness(normal: Triple, view: View): number {
  const angle = radians(view.yaw - 35);
  const lamp: Triple = [0.6 * Math.sin(angle), 0.8, 0.6 * Math.cos(angle)];
  const facing = normal[0] * lamp[0] + normal[1] * lamp[1] + normal[2] * lamp[2];
  return ambientLight + (1 - ambientLight) * Math.min(1, Math.max(0, 0.4 + 0.75 * facing));
}
