/**
 * The player as boxes, and where each box finds its pictures on the sheet. Lengths are in model units: a unit
 * is one texel of a sheet 64 wide. Axes: y up from the feet, +x the player's left, +z the player's front.
 * "Right" and "left" are always the player's own.
 */

/** Whether the arms are four units wide or three. */
export type Model = "classic" | "slim";
/** A point or an extent in model units. */
export type Triple = readonly [x: number, y: number, z: number];
/** A rectangle of a sheet, from its upper left corner, in texels. */
export type Rect = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};
/** A side of a box, named from where the player stands. */
export type Face = "top" | "bottom" | "right" | "front" | "left" | "back";
/** What a player is made of. */
export type PartName =
  "head" | "torso" | "rightArm" | "leftArm" | "rightLeg" | "leftLeg" | "cape" | "rightWing" | "leftWing";
/** The body itself, or what is worn over it. */
export type Layer = "first" | "second";

/** A box of the player. */
export type Part = {
  readonly name: PartName;
  /** The corner with the least x, y and z, before any turn. */
  readonly from: Triple;
  readonly size: Triple;
  /** The point that the part turns about. */
  readonly pivot: Triple;
  /** Where the unfolded box begins on the sheet. */
  readonly first: readonly [u: number, v: number];
  /** The second layer: the same box drawn larger by `inflation` on every side, with no more texels. */
  readonly second?: { readonly offset: readonly [u: number, v: number]; readonly inflation: number };
  /** `cape`: its pictures are on the cape's sheet, not on the skin's. */
  readonly sheet?: "cape";
  /** It has its second layer alone, so its texels may be see-through. */
  readonly isOverlay?: true;
  /** Its pictures lie on it mirrored from side to side, as on the other one of a pair that shares them. */
  readonly isMirrored?: true;
};

/** All six, in the order in which the format lists them. */
export const faces: readonly Face[] = ["top", "bottom", "right", "front", "left", "back"];

const head: Part = {
  name: "head",
  from: [-4, 24, -4],
  size: [8, 8, 8],
  pivot: [0, 24, 0],
  first: [0, 0],
  second: { offset: [32, 0], inflation: 0.5 },
};
const torso: Part = {
  name: "torso",
  from: [-4, 12, -2],
  size: [8, 12, 4],
  pivot: [0, 24, 0],
  first: [16, 16],
  second: { offset: [16, 32], inflation: 0.25 },
};
const rightLeg: Part = {
  name: "rightLeg",
  from: [-4, 0, -2],
  size: [4, 12, 4],
  pivot: [-2, 12, 0],
  first: [0, 16],
  second: { offset: [0, 32], inflation: 0.25 },
};
const leftLeg: Part = {
  name: "leftLeg",
  from: [0, 0, -2],
  size: [4, 12, 4],
  pivot: [2, 12, 0],
  first: [16, 48],
  second: { offset: [0, 48], inflation: 0.25 },
};

/** The cape box. It hangs turned by 180 degrees about y, so that its "front" rectangle faces backwards. */
export const cape: Part = {
  name: "cape",
  from: [-5, 8, -2],
  size: [10, 16, 1],
  pivot: [0, 24, -2],
  first: [0, 0],
  sheet: "cape",
};

/**
 * An elytra's wing: a box of 10 x 20 x 2, a unit larger on every side. It hangs from the shoulder across the
 * whole back.
 */
const wing = {
  from: [-5, 4, -4],
  size: [10, 20, 2],
  first: [22, 0],
  second: { offset: [22, 0], inflation: 1 },
  sheet: "cape",
  isOverlay: true,
} as const;
/** Both wings. They cross in the middle of the back. */
export const wings: readonly Part[] = [
  { ...wing, name: "leftWing", pivot: [5, 24, -2] },
  { ...wing, name: "rightWing", pivot: [-5, 24, -2], isMirrored: true },
];

/**
 * The six parts of a player. If two faces lie in one plane, the earlier part is seen, so the arms come before
 * the torso and the torso before the legs. Slim arms are three wide and level with the classic ones.
 */
export function playerParts(model: Model): readonly Part[] {
  return [head, rightArm(model), leftArm(model), torso, rightLeg, leftLeg];
}

function rightArm(model: Model): Part {
  const width = model === "slim" ? 3 : 4;
  return {
    name: "rightArm",
    from: [-4 - width, 12, -2],
    size: [width, 12, 4],
    pivot: [-5, 22, 0],
    first: [40, 16],
    second: { offset: [40, 32], inflation: 0.25 },
  };
}

function leftArm(model: Model): Part {
  return {
    name: "leftArm",
    from: [4, 12, -2],
    size: [model === "slim" ? 3 : 4, 12, 4],
    pivot: [5, 22, 0],
    first: [32, 48],
    second: { offset: [48, 48], inflation: 0.25 },
  };
}

/**
 * The six rectangles that a part's box unfolds to on a sheet 64 wide. Orientation: on front image-left is the
 * player's right, on back the player's left; on right image-right touches the front, on left image-left does;
 * on top AND bottom image-left is the player's right and the lower edge is the front edge (the bottom is no
 * folded-out mirror).
 */
export function faceRects(part: Part, layer: Layer): Readonly<Record<Face, Rect>> {
  const [u, v] = (layer === "second" ? part.second?.offset : undefined) ?? part.first;
  const [w, h, d] = part.size;
  return {
    top: { x: u + d, y: v, width: w, height: d },
    bottom: { x: u + d + w, y: v, width: w, height: d },
    right: { x: u, y: v + d, width: d, height: h },
    front: { x: u + d, y: v + d, width: w, height: h },
    left: { x: u + d + w, y: v + d, width: d, height: h },
    back: { x: u + 2 * d + w, y: v + d, width: w, height: h },
  };
}

/** An axis of a box: 0 runs to the player's left, 1 up, 2 to the front. */
export type Axis = 0 | 1 | 2;
/** Along an axis of a box, or against it. */
export type Direction = readonly [axis: Axis, way: "along" | "against"];
type Placement = { readonly outwards: Direction; readonly columns: Direction; readonly rows: Direction };

/**
 * How each face's rectangle lies on the box (see `faceRects`): where it looks, and where its columns and rows
 * run.
 */
const placements: Readonly<Record<Face, Placement>> = {
  right: { outwards: [0, "against"], columns: [2, "along"], rows: [1, "against"] },
  left: { outwards: [0, "along"], columns: [2, "against"], rows: [1, "against"] },
  bottom: { outwards: [1, "against"], columns: [0, "along"], rows: [2, "along"] },
  top: { outwards: [1, "along"], columns: [0, "along"], rows: [2, "along"] },
  back: { outwards: [2, "against"], columns: [0, "against"], rows: [1, "against"] },
  front: { outwards: [2, "along"], columns: [0, "along"], rows: [1, "against"] },
};

/**
 * How a face's rectangle lies on a part: from side to side the other way round where the part is mirrored.
 */
export function placementOf({ isMirrored }: Part, name: Face): Placement {
  const { outwards, columns, rows } = placements[name];
  return isMirrored ? { outwards: mirrored(outwards), columns: mirrored(columns), rows } : placements[name];
}

function mirrored([axis, direction]: Direction): Direction {
  return axis === 0 ? [axis, direction === "along" ? "against" : "along"] : [axis, direction];
}

/** A rectangle of a sheet 64 wide on one that is `scale` times larger. */
export function scaleRect({ x, y, width, height }: Rect, scale: number): Rect {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}
