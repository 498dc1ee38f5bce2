import type { Triple } from "./parts.ts";

/**
 * Angles in degrees. Applied in the order pitch (about x), yaw (about y), roll (about z), all right-handed.
 */
export type Turn = { readonly pitch?: number; readonly yaw?: number; readonly roll?: number };

/** A rotation: its three rows. */
export type Rotation = readonly [Triple, Triple, Triple];

/** The sum of two vectors. */
export function add(a: Triple, b: Triple): Triple {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** The way from `b` to `a`. */
export function subtract(a: Triple, b: Triple): Triple {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** A vector made longer by a factor. */
export function scale(a: Triple, factor: number): Triple {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

/** The scalar product. */
export function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The vector product: at right angles to both, right-handed. */
export function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The vector of the same direction and length 1. */
export function unit(a: Triple): Triple {
  return scale(a, 1 / Math.sqrt(dot(a, a)));
}

/** The rotation that a turn is. */
export function rotationOf({ pitch = 0, yaw = 0, roll = 0 }: Turn): Rotation {
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis) =>
    aboutZ(aboutY(aboutX(axis, radians(pitch)), radians(yaw)), radians(roll)),
  ) as unknown as Rotation; // Three columns in, three columns out.
  return transpose(columns);
}

/** A vector turned by a rotation. */
export function rotate(rotation: Rotation, v: Triple): Triple {
  return [dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v)];
}

/** The inverse of a rotation. */
function transpose([a, b, c]: Rotation): Rotation {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

/** An angle of degrees in radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function aboutX([x, y, z]: Triple, angle: number): Triple {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return [x, y * c - z * s, y * s + z * c];
}

function aboutY([x, y, z]: Triple, angle: number): Triple {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return [x * c + z * s, y, z * c - x * s];
}

function aboutZ([x, y, z]: Triple, angle: number): Triple {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return [x * c - y * s, x * s + y * c, z];
}
