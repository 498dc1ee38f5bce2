import type { Scene, SceneBox, SceneFace, TexelAxis } from "./scene.ts";

/**
 * Follows rays through a scene. One tracer serves many rays, so that a ray allocates nothing; each overwrites what the
 * one before it found. The result is a stack: the surfaces that the ray meets, front to back, down to the first that
 * is always opaque. Only the first `count` entries of its arrays count.
 */
export type Tracer = {
  readonly scene: Scene;
  /** The boxes that a ray through the pixel at hand may meet; only the first `nearbyCount` count. */
  readonly nearby: SceneBox[];
  nearbyCount: number;
  count: number;
  /** Each surface as twice its texel's number, plus one when its inside is seen. */
  readonly codes: Uint32Array;
  /** Brightness of each surface, 0 to 255. */
  readonly shades: Uint8Array;
  readonly depths: Float64Array;
  /** The box that was met last: the ray in its axes, and where the ray goes in and out. */
  readonly ray: Float64Array;
  inDepth: number;
  inFace: number;
  outDepth: number;
  outFace: number;
};

/** Makes room for all that a ray can meet in a scene: each box is entered once and left once. */
export function createTracer(scene: Scene): Tracer {
  const most = scene.boxes.length * 2;
  return {
    scene,
    nearby: [...scene.boxes],
    nearbyCount: 0,
    count: 0,
    codes: new Uint32Array(most),
    shades: new Uint8Array(most),
    depths: new Float64Array(most),
    ray: new Float64Array(3),
    inDepth: 0,
    inFace: 0,
    outDepth: 0,
    outFace: 0,
  };
}

/** Chooses the pixel whose rays are traced next: `x` and `y` are its upper left corner. */
export function aimAt(tracer: Tracer, x: number, y: number): void {
  tracer.nearbyCount = 0;
  for (const box of tracer.scene.boxes) {
    if (x + 1 < box.left || x > box.right || y + 1 < box.top || y > box.bottom) continue;
    tracer.nearby[tracer.nearbyCount++] = box;
  }
}

/** Finds the stack at a point of the pixel that was aimed at. `x` and `y` are in pixels from the picture's corner. */
export function traceRay(tracer: Tracer, x: number, y: number): void {
  tracer.count = 0;
  let opaqueDepth = Infinity;
  for (let i = 0; i < tracer.nearbyCount; i++) {
    const box = tracer.nearby[i];
    if (box === undefined || !crossBox(tracer, box, x, y) || tracer.inDepth > opaqueDepth) continue;
    if (box.opaque) {
      opaqueDepth = tracer.inDepth;
      tracer.count = 0;
    }
    addSurface(tracer, box, 0);
    if (!box.opaque && tracer.outDepth < opaqueDepth) addSurface(tracer, box, 1);
  }
}

/** The opaque box that hides everything behind it at a point of the pixel that was aimed at, if there is one. */
export function nearestOpaque(
  tracer: Tracer,
  x: number,
  y: number,
): { box: SceneBox; depth: number } | undefined {
  let nearest: { box: SceneBox; depth: number } | undefined;
  for (let i = 0; i < tracer.nearbyCount; i++) {
    const box = tracer.nearby[i];
    if (!box?.opaque || !crossBox(tracer, box, x, y)) continue;
    if (!nearest || tracer.inDepth < nearest.depth) nearest = { box, depth: tracer.inDepth };
  }
  return nearest;
}

/** Meets a ray with the three pairs of planes of a box; true when it goes through. */
function crossBox(tracer: Tracer, box: SceneBox, x: number, y: number): boolean {
  const { slabs } = box;
  const { ray } = tracer;
  let inDepth = -Infinity;
  let outDepth = Infinity;
  let inFace = 0;
  let outFace = 0;
  for (let axis = 0, at = 0; axis < 3; axis++, at += 5) {
    const along = (slabs[at + 2] ?? 0) + x * (slabs[at + 3] ?? 0) + y * (slabs[at + 4] ?? 0);
    const inverse = 1 / along;
    const toLesser = (slabs[at] ?? 0) * inverse;
    const toGreater = (slabs[at + 1] ?? 0) * inverse;
    ray[axis] = along;
    if (along > 0) {
      if (toLesser > inDepth) {
        inDepth = toLesser;
        inFace = axis * 2;
      }
      if (toGreater < outDepth) {
        outDepth = toGreater;
        outFace = axis * 2 + 1;
      }
    } else {
      if (toGreater > inDepth) {
        inDepth = toGreater;
        inFace = axis * 2 + 1;
      }
      if (toLesser < outDepth) {
        outDepth = toLesser;
        outFace = axis * 2;
      }
    }
    if (inDepth >= outDepth) return false;
  }
  tracer.inDepth = inDepth + box.bias;
  tracer.outDepth = outDepth + box.bias;
  tracer.inFace = inFace;
  tracer.outFace = outFace;
  return true;
}

/** Puts the surface by which the ray enters (0) or leaves (1) the box where its depth belongs. */
function addSurface(tracer: Tracer, box: SceneBox, inner: 0 | 1): void {
  const { codes, shades, depths } = tracer;
  const depth = inner ? tracer.outDepth : tracer.inDepth;
  const face = box.faces[inner ? tracer.outFace : tracer.inFace];
  if (!face) return;
  let at = tracer.count++;
  for (; at > 0 && (depths[at - 1] ?? 0) > depth; at--) {
    depths[at] = depths[at - 1] ?? 0;
    codes[at] = codes[at - 1] ?? 0;
    shades[at] = shades[at - 1] ?? 0;
  }
  depths[at] = depth;
  codes[at] = texelAt(tracer, box, face, depth - box.bias) * 2 + inner;
  shades[at] = inner ? face.innerShade : face.outerShade;
}

function texelAt(tracer: Tracer, box: SceneBox, face: SceneFace, depth: number): number {
  const column = texelAlong(tracer, box, face.columns, depth);
  const row = texelAlong(tracer, box, face.rows, depth);
  return face.firstTexel + row * face.sheetWidth + column;
}

/** Which texel along an axis the ray meets. Rounding may put it just beyond the face, hence the bounds. */
function texelAlong({ ray }: Tracer, { slabs }: SceneBox, texels: TexelAxis, depth: number): number {
  const { axis, count, start, step } = texels;
  const distance = (ray[axis] ?? 0) * depth - (slabs[axis * 5] ?? 0);
  return Math.min(count - 1, Math.max(0, Math.floor(start + distance * step)));
}
