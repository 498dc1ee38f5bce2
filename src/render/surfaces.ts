import { hasEdge } from "./marks.ts";
import { allSamples, firstSample, positiveSamples, sampleCount, samplesX, samplesY } from "./samples.ts";
import { faceCount, nearnessOf, planeSize, type Scene, texelAt } from "./scene.ts";
import { crossBox, type Stack, type Tracer } from "./trace.ts";

/**
 * What the sixteen rays of a pixel meet: surfaces from front to back, each with the set of samples that meet
 * it. The first `count` entries. A surface that is partly in front of another one and partly behind it has
 * two.
 */
export type Surfaces = {
  readonly scene: Scene;
  /** The pixel, and the lines in it (see `Marks`). */
  x: number;
  y: number;
  mark: number;
  count: number;
  readonly faces: Int16Array;
  readonly masks: Int32Array;
  /** The nearness of the face's plane in the middle of the pixel. */
  readonly nearness: Float64Array;
  /** Each face of the current box has its nearness there, and the samples that meet it. */
  readonly faceNearness: Float64Array;
  readonly faceMasks: Int32Array;
  readonly texels: TexelParts;
};

/**
 * Texels of the surfaces from front to back, and the samples that show each of them: the first `count`
 * entries.
 */
type TexelParts = {
  count: number;
  readonly texels: Int32Array;
  readonly shades: Uint8Array;
  readonly masks: Int32Array;
};

/** More than biases differ by, in model units. */
const biasReach = 2e-3;

/** Makes room for the surfaces of any pixel of a scene: a sample can meet each box twice. */
export function createSurfaces(scene: Scene): Surfaces {
  const most = scene.boxCount * 2 * sampleCount;
  return {
    scene,
    x: 0,
    y: 0,
    mark: 0,
    count: 0,
    faces: new Int16Array(most),
    masks: new Int32Array(most),
    nearness: new Float64Array(most),
    faceNearness: new Float64Array(faceCount),
    faceMasks: new Int32Array(faceCount),
    texels: {
      count: 0,
      texels: new Int32Array(most),
      shades: new Uint8Array(most),
      masks: new Int32Array(most),
    },
  };
}

/**
 * Finds what the rays of the current pixel meet; the tracer is aimed at it. A box without an edge in the
 * pixel is met by all rays as by the one through the middle. This takes a quarter of the time of sixteen
 * rays.
 */
export function meetBoxes(surfaces: Surfaces, tracer: Tracer): void {
  const { scene, mark } = surfaces;
  const { nearby, nearbyCount } = tracer;
  surfaces.count = 0;
  let cover = 0;
  for (let i = 0; i < nearbyCount; i++) {
    const box = nearby[i] ?? 0;
    if (hasEdge(mark, box)) {
      meetEdge(surfaces, box, cover);
      continue;
    }
    if (!crossBox(tracer, box, surfaces.x + 0.5, surfaces.y + 0.5)) continue;
    const { inFace, outFace, inNearness, outNearness } = tracer;
    const slack = scene.slacks[inFace] ?? 0;
    if (inNearness + slack < cover) continue;
    add(surfaces, inFace, allSamples, inNearness);
    // What is certainly behind an opaque box is left out.
    if (scene.opaque[box] === 1) cover = Math.max(cover, inNearness - slack - biasReach * inNearness ** 2);
    else if (outNearness + (scene.slacks[outFace] ?? 0) >= cover)
      add(surfaces, outFace, allSamples, outNearness);
  }
}

/** A box with an edge in the pixel: different samples may meet different faces of it, or miss it. */
function meetEdge(surfaces: Surfaces, box: number, cover: number): void {
  const { scene, faceNearness, faceMasks } = surfaces;
  const first = box * faceCount;
  shareSamples(surfaces, first, scene.towards[box] ?? 0);
  const end = scene.opaque[box] === 1 ? (scene.towards[box] ?? 0) : faceCount;
  for (let f = 0; f < end; f++) {
    const mask = faceMasks[f] ?? 0;
    const nearness = faceNearness[f] ?? 0;
    if (mask !== 0 && nearness + (scene.slacks[first + f] ?? 0) >= cover)
      add(surfaces, first + f, mask, nearness);
  }
}

/**
 * Finds the samples that meet each face of a box. A ray enters through the farthest of the faces that look at
 * the camera, and leaves through the nearest of the others. It goes through the box if it enters before it
 * leaves. So each pair of faces is compared.
 */
function shareSamples(surfaces: Surfaces, first: number, towards: number): void {
  const { scene, faceNearness: near, faceMasks: masks, x, y } = surfaces;
  const { planes } = scene;
  for (let f = 0; f < faceCount; f++) near[f] = nearnessOf(scene, first + f, x + 0.5, y + 0.5);
  masks.fill(allSamples);
  for (let f = 0; f < faceCount; f++) {
    const a = (first + f) * planeSize;
    for (let g = f + 1; g < faceCount; g++) {
      const b = (first + g) * planeSize;
      const isNearer = positiveSamples(
        (near[f] ?? 0) - (near[g] ?? 0),
        (planes[a + 1] ?? 0) - (planes[b + 1] ?? 0),
        (planes[a + 2] ?? 0) - (planes[b + 2] ?? 0),
      );
      masks[f] = (masks[f] ?? 0) & (g < towards ? ~isNearer : isNearer);
      masks[g] = (masks[g] ?? 0) & (f < towards ? isNearer : ~isNearer);
    }
  }
}

/** Inserts a face into the samples that it covers, sorted by depth. */
function add(surfaces: Surfaces, face: number, mask: number, near: number): void {
  const { scene, masks, faces, nearness } = surfaces;
  const box = (face / faceCount) | 0;
  const slack = scene.slacks[face] ?? 0;
  let rest = mask;
  for (let at = 0; at < surfaces.count; at++) {
    const both = (masks[at] ?? 0) & rest;
    const other = faces[at] ?? 0;
    // A ray enters a box before it leaves it.
    if (both === 0 || ((other / faceCount) | 0) === box) continue;
    const otherNear = nearness[at] ?? 0;
    const lead = near - otherNear;
    const reach = slack + (scene.slacks[other] ?? 0) + biasReach * near * otherNear;
    if (lead < -reach) continue;
    const before = lead > reach ? both : both & samplesBefore(surfaces, face, other);
    if (before === 0) continue;
    makeRoom(surfaces, at);
    faces[at] = face;
    masks[at] = before;
    nearness[at++] = near;
    rest &= ~before;
    if (rest === 0) return;
  }
  const last = surfaces.count++;
  faces[last] = face;
  masks[last] = rest;
  nearness[last] = near;
}

/** The samples at which a face is in front of another one, biases included. */
function samplesBefore({ scene, x, y }: Surfaces, face: number, other: number): number {
  const bias = scene.biases[(face / faceCount) | 0] ?? 0;
  const otherBias = scene.biases[(other / faceCount) | 0] ?? 0;
  let mask = 0;
  for (let i = 0; i < sampleCount; i++) {
    const sampleX = x + (samplesX[i] ?? 0);
    const sampleY = y + (samplesY[i] ?? 0);
    const depth = 1 / nearnessOf(scene, face, sampleX, sampleY) + bias;
    if (depth < 1 / nearnessOf(scene, other, sampleX, sampleY) + otherBias) mask |= 1 << i;
  }
  return mask;
}

/** Shifts the surfaces from an index on by one. */
function makeRoom(surfaces: Surfaces, at: number): void {
  const { faces, masks, nearness } = surfaces;
  for (let i = surfaces.count++; i > at; i--) {
    faces[i] = faces[i - 1] ?? 0;
    masks[i] = masks[i - 1] ?? 0;
    nearness[i] = nearness[i - 1] ?? 0;
  }
}

/** Finds the texels of all surfaces, down to the first layer, which hides what lies behind it. */
export function findTexels(surfaces: Surfaces): void {
  const { scene, faces, masks, count, texels } = surfaces;
  texels.count = 0;
  for (let at = 0, rest = allSamples; at < count && rest !== 0; at++) {
    const shown = (masks[at] ?? 0) & rest;
    addTexels(surfaces, at, shown);
    if (scene.opaque[((faces[at] ?? 0) / faceCount) | 0] === 1) rest &= ~shown;
  }
}

/** Adds the texels of a surface that some samples show. */
export function addTexels({ scene, faces, texels: parts, x, y }: Surfaces, at: number, mask: number): void {
  const face = faces[at] ?? 0;
  const first = parts.count;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const sample = firstSample(rest);
    const texel = texelAt(scene, face, x + (samplesX[sample] ?? 0), y + (samplesY[sample] ?? 0));
    let part = parts.count - 1;
    while (part >= first && parts.texels[part] !== texel) part--;
    if (part < first) {
      part = parts.count++;
      parts.texels[part] = texel;
      parts.shades[part] = scene.shades[face] ?? 0;
      parts.masks[part] = 0;
    }
    parts.masks[part] = (parts.masks[part] ?? 0) | (1 << sample);
  }
}

/** Finds the stack of the first of some samples; returns those of them that show exactly the same. */
export function stackAt({ texels: parts }: Surfaces, stack: Stack, samples: number): number {
  const { count, texels, shades, masks } = parts;
  const bit = samples & -samples;
  let alike = samples;
  stack.count = 0;
  for (let part = 0; part < count; part++) {
    const shown = masks[part] ?? 0;
    if ((shown & bit) === 0) {
      alike &= ~shown;
      continue;
    }
    alike &= shown;
    stack.texels[stack.count] = texels[part] ?? 0;
    stack.shades[stack.count++] = shades[part] ?? 0;
  }
  return alike;
}
