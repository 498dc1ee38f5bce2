import { firstSample, sampleCount, samplesX, samplesY } from "./samples.ts";
import { faceCount, type Scene, texelAt } from "./scene.ts";
import type { Surfaces } from "./surfaces.ts";
import type { Stack } from "./trace.ts";

/** Texels of the surfaces in a pixel, front to back, and the samples that show each: the first `count` entries. */
export type TexelParts = {
  count: number;
  readonly texels: Int32Array;
  readonly shades: Uint8Array;
  readonly masks: Int32Array;
};

/** Makes room for the parts of any pixel of a scene: a sample can show each box from outside and from inside. */
export function createTexelParts({ boxCount }: Scene): TexelParts {
  const most = boxCount * 2 * sampleCount;
  return {
    count: 0,
    texels: new Int32Array(most),
    shades: new Uint8Array(most),
    masks: new Int32Array(most),
  };
}

/** Adds the texels of a surface that the samples of `mask` show. */
export function addTexels(parts: TexelParts, surfaces: Surfaces, at: number, mask: number): void {
  const { scene, faces } = surfaces;
  const face = faces[at] ?? 0;
  const shade = scene.shades[face] ?? 0;
  const first = parts.count;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const texel = texelOf(surfaces, face, firstSample(bit));
    let part = parts.count - 1;
    while (part >= first && parts.texels[part] !== texel) part--;
    if (part < first) addPart(parts, texel, shade, bit);
    else parts.masks[part] = (parts.masks[part] ?? 0) | bit;
  }
}

/** Finds all parts down to the first layer, which nothing is seen through. */
export function findTexels(parts: TexelParts, surfaces: Surfaces, mask: number): void {
  const { scene, faces, masks, count } = surfaces;
  parts.count = 0;
  for (let at = 0, rest = mask; at < count && rest !== 0; at++) {
    const shown = (masks[at] ?? 0) & rest;
    if (shown === 0) continue;
    addTexels(parts, surfaces, at, shown);
    if (scene.opaque[((faces[at] ?? 0) / faceCount) | 0] === 1) rest &= ~shown;
  }
}

function texelOf({ scene, x, y }: Surfaces, face: number, sample: number): number {
  return texelAt(scene, face, x + (samplesX[sample] ?? 0), y + (samplesY[sample] ?? 0));
}

function addPart(parts: TexelParts, texel: number, shade: number, mask: number): void {
  const { texels, shades, masks } = parts;
  const at = parts.count++;
  texels[at] = texel;
  shades[at] = shade;
  masks[at] = mask;
}

/** Finds the stack of the first sample of `mask`; returns those samples of the mask that show just the same. */
export function stackAt(parts: TexelParts, stack: Stack, mask: number): number {
  const { count, texels, shades, masks } = parts;
  const bit = mask & -mask;
  let alike = mask;
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
