import { type Axis, axes, type Scene, type SceneBox, type SceneFace } from "./scene.ts";

/**
 * What one ray meets, front to back, down to the first surface that is always opaque. The arrays are reused from ray
 * to ray, so that tracing allocates nothing; only the first `count` entries count.
 */
export type Stack = {
  count: number;
  /** Each surface as twice its texel's number, plus one when its inside is seen. */
  readonly codes: Uint32Array;
  /** Brightness of each surface, 0 to 255. */
  readonly shades: Uint8Array;
  readonly depths: Float64Array;
};

/** Makes room for all that a ray can meet in a scene: each box is entered once and left once. */
export function createStack(scene: Scene): Stack {
  const most = scene.boxes.length * 2;
  return {
    count: 0,
    codes: new Uint32Array(most),
    shades: new Uint8Array(most),
    depths: new Float64Array(most),
  };
}

/** Follows the ray through a point of the picture (in pixels) and notes in `stack` which texels it meets. */
export function traceRay({ boxes }: Scene, x: number, y: number, stack: Stack): void {
  stack.count = 0;
  let opaqueDepth = Infinity;
  for (const box of boxes) {
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
    opaqueDepth = Math.min(opaqueDepth, traceBox(box, x, y, stack));
  }
  while (stack.count > 0 && (stack.depths[stack.count - 1] ?? 0) > opaqueDepth) stack.count--;
}

/** The ray being traced, in the axes of the box being traced. */
const ray: [number, number, number] = [0, 0, 0];

/** Adds the surfaces of a box to the stack; returns the depth beyond which it hides everything. */
function traceBox(box: SceneBox, x: number, y: number, stack: Stack): number {
  let inDepth = -Infinity;
  let outDepth = Infinity;
  let inAxis: Axis = 0;
  let outAxis: Axis = 0;
  for (const axis of axes) {
    ray[axis] = box.rayBase[axis] + x * box.rayStepX[axis] + y * box.rayStepY[axis];
    const a = (box.min[axis] - box.eye[axis]) / ray[axis];
    const b = (box.max[axis] - box.eye[axis]) / ray[axis];
    const nearer = Math.min(a, b);
    const farther = Math.max(a, b);
    if (nearer > inDepth) {
      inDepth = nearer;
      inAxis = axis;
    }
    if (farther < outDepth) {
      outDepth = farther;
      outAxis = axis;
    }
  }
  if (inDepth >= outDepth) return Infinity;

  const [lower, upper] = box.ends[inAxis];
  const entered = ray[inAxis] > 0 ? lower : upper;
  addSurface(stack, inDepth + box.bias, texelAt(box, entered, inDepth) * 2, entered.outerShade);
  if (box.opaque) return inDepth + box.bias;
  const [least, greatest] = box.ends[outAxis];
  const left = ray[outAxis] > 0 ? greatest : least;
  addSurface(stack, outDepth + box.bias, texelAt(box, left, outDepth) * 2 + 1, left.innerShade);
  return Infinity;
}

/** The number of the texel in which the ray meets a face. */
function texelAt(box: SceneBox, face: SceneFace, depth: number): number {
  const column = texelAlong(box, face.columnAxis, depth, face.columnsReversed ? -face.columns : face.columns);
  const row = texelAlong(box, face.rowAxis, depth, face.rowsReversed ? -face.rows : face.rows);
  return face.firstTexel + row * face.sheetWidth + column;
}

/** Which of `count` texels along an axis the ray meets; a negative count numbers them from the far end. */
function texelAlong({ eye, min, max }: SceneBox, axis: Axis, depth: number, count: number): number {
  const part = (eye[axis] + ray[axis] * depth - min[axis]) / (max[axis] - min[axis]);
  const texels = Math.abs(count);
  const index = Math.min(texels - 1, Math.max(0, Math.floor(part * texels)));
  return count < 0 ? texels - 1 - index : index;
}

/** Inserts a surface where its depth belongs. */
function addSurface(stack: Stack, depth: number, code: number, shade: number): void {
  const { codes, shades, depths } = stack;
  let at = stack.count++;
  for (; at > 0 && (depths[at - 1] ?? 0) > depth; at--) {
    depths[at] = depths[at - 1] ?? 0;
    codes[at] = codes[at - 1] ?? 0;
    shades[at] = shades[at - 1] ?? 0;
  }
  depths[at] = depth;
  codes[at] = code;
  shades[at] = shade;
}
