import { faceCount, planeSize, type Scene, texelAt } from "./scene.ts";

/**
 * What a ray meets, front to back, down to the first surface that is always opaque: the first `count`
 * entries.
 */
export type Stack = {
  count: number;
  readonly texels: Int32Array;
  /** Brightness of each surface, 0 to 255. */
  readonly shades: Uint8Array;
  readonly depths: Float64Array;
};

/** Makes room for all that a ray can meet in a scene: each box is entered once and left once. */
export function createStack({ boxCount }: Scene): Stack {
  const most = boxCount * 2;
  return {
    count: 0,
    texels: new Int32Array(most),
    shades: new Uint8Array(most),
    depths: new Float64Array(most),
  };
}

/** Whether two stacks show the same texels. */
export function isSameStack(a: Stack, b: Stack): boolean {
  if (a.count !== b.count) return false;
  for (let i = 0; i < a.count; i++) if (a.texels[i] !== b.texels[i]) return false;
  return true;
}

/**
 * Follows rays through the boxes near one pixel. One tracer serves many rays, so that a ray allocates
 * nothing.
 */
export type Tracer = {
  readonly scene: Scene;
  /**
   * The boxes that rays of the current row may meet, and those that rays of the current pixel may; the first
   * so many count.
   */
  readonly rowBoxes: Uint8Array;
  rowCount: number;
  readonly nearby: Uint8Array;
  nearbyCount: number;
  /**
   * Where the ray goes into the box that it met last, and out of it: the face of the scene and its nearness.
   */
  inFace: number;
  inNearness: number;
  outFace: number;
  outNearness: number;
};

/** Makes a tracer; it has to be aimed before it is used. */
export function createTracer(scene: Scene): Tracer {
  return {
    scene,
    rowBoxes: new Uint8Array(scene.boxCount),
    rowCount: 0,
    nearby: new Uint8Array(scene.boxCount),
    nearbyCount: 0,
    inFace: 0,
    inNearness: 0.5,
    outFace: 0,
    outNearness: 0.5,
  };
}

/** Chooses the row of pixels whose rays come next. */
export function aimAtRow(tracer: Tracer, y: number): void {
  const {
    rowBoxes,
    scene: { frames, boxCount },
  } = tracer;
  let count = 0;
  for (let box = 0; box < boxCount; box++) {
    if (y + 1 >= (frames[box * 4 + 2] ?? 0) && y <= (frames[box * 4 + 3] ?? 0)) rowBoxes[count++] = box;
  }
  tracer.rowCount = count;
}

/** Sets the pixel of the row for the following rays. */
export function aimAt(tracer: Tracer, x: number): void {
  const {
    rowBoxes,
    rowCount,
    nearby,
    scene: { frames },
  } = tracer;
  let count = 0;
  for (let i = 0; i < rowCount; i++) {
    const box = rowBoxes[i] ?? 0;
    if (x + 1 >= (frames[box * 4] ?? 0) && x <= (frames[box * 4 + 1] ?? 0)) nearby[count++] = box;
  }
  tracer.nearbyCount = count;
}

/**
 * Meets a ray with the planes of a box; true when it goes through. It is inside once it is behind all faces
 * that look at the camera, and until it is behind one of the others. In terms of nearness that takes no
 * division.
 */
export function crossBox(tracer: Tracer, box: number, x: number, y: number): boolean {
  const { planes, towards } = tracer.scene;
  const firstFace = box * faceCount;
  const firstAway = firstFace + (towards[box] ?? 0);
  let inNearness = Infinity;
  let inFace = firstFace;
  let face = firstFace;
  let at = firstFace * planeSize;
  for (; face < firstAway; face++, at += planeSize) {
    const near = (planes[at] ?? 0) + x * (planes[at + 1] ?? 0) + y * (planes[at + 2] ?? 0);
    if (near >= inNearness) continue;
    inNearness = near;
    inFace = face;
  }
  let outNearness = 0;
  let outFace = firstAway;
  for (; face < firstFace + faceCount; face++, at += planeSize) {
    const near = (planes[at] ?? 0) + x * (planes[at + 1] ?? 0) + y * (planes[at + 2] ?? 0);
    if (near >= inNearness) return false;
    if (near <= outNearness) continue;
    outNearness = near;
    outFace = face;
  }
  tracer.inFace = inFace;
  tracer.inNearness = inNearness;
  tracer.outFace = outFace;
  tracer.outNearness = outNearness;
  return true;
}

/**
 * Finds the stack at a point of the pixel that was aimed at. `x` and `y` are in pixels from the picture's
 * corner.
 */
export function traceRay(tracer: Tracer, stack: Stack, x: number, y: number): void {
  const { nearby, nearbyCount, scene } = tracer;
  stack.count = 0;
  let coverDepth = Infinity;
  for (let i = 0; i < nearbyCount; i++) {
    const box = nearby[i] ?? 0;
    if (!crossBox(tracer, box, x, y)) continue;
    const bias = scene.biases[box] ?? 0;
    const inDepth = 1 / tracer.inNearness + bias;
    if (inDepth > coverDepth) continue;
    const at = addSurface(
      stack,
      inDepth,
      texelAt(scene, tracer.inFace, x, y),
      scene.shades[tracer.inFace] ?? 0,
    );
    if (scene.opaque[box] === 1) {
      coverDepth = inDepth;
      stack.count = at + 1;
      continue;
    }
    const outDepth = 1 / tracer.outNearness + bias;
    if (outDepth < coverDepth)
      addSurface(stack, outDepth, texelAt(scene, tracer.outFace, x, y), scene.shades[tracer.outFace] ?? 0);
  }
}

/** Puts a surface where its depth belongs; returns where that is. */
function addSurface(stack: Stack, depth: number, texel: number, shade: number): number {
  const { texels, shades, depths } = stack;
  let at = stack.count++;
  for (; at > 0 && (depths[at - 1] ?? 0) > depth; at--) {
    depths[at] = depths[at - 1] ?? 0;
    texels[at] = texels[at - 1] ?? 0;
    shades[at] = shades[at - 1] ?? 0;
  }
  depths[at] = depth;
  texels[at] = texel;
  shades[at] = shade;
  return at;
}
