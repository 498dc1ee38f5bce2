import { type Canvas, createCanvas, signedWords } from "./bitmap.ts";
import { meanColour, opaqueColour, premultiplied, stackColour, sumStart } from "./colours.ts";
import { allSamples, countSamples } from "./samples.ts";
import type { Scene } from "./scene.ts";
import type { Surfaces } from "./surfaces.ts";
import { addTexels, createTexelParts, findTexels, stackAt, type TexelParts } from "./texel-parts.ts";
import { createStack, isSameStack, type Stack } from "./trace.ts";
import type { Shares, Sink } from "./mix.ts";
import { walkScene } from "./walk.ts";

/**
 * Draws a scene with the texels of a skin (and, behind them, of a cape), once: what a plan would keep is drawn at once.
 * The picture is that of a plan to the bit. A body of 256 pixels takes some six times as long as its plan would to be drawn,
 * and half as long as to be made.
 */
export function drawScene(scene: Scene, texels: Uint32Array): Canvas {
  const canvas = createCanvas(scene.width, scene.height);
  const signed = signedWords(texels);
  walkScene(scene, new Drawing(scene, canvas, signed), signed);
  return canvas;
}

class Drawing implements Sink {
  readonly #pixels: Int32Array;
  readonly #mixer: Mixer;

  constructor(scene: Scene, canvas: Canvas, texels: Int32Array) {
    this.#pixels = signedWords(canvas.words);
    this.#mixer = createMixer(scene, texels);
  }

  look(stack: Stack): number {
    return stackColour(stack, 0, stack.count, this.#mixer.texels);
  }

  /** Only what is neither opaque nor clear is changed by taking a mean: by rounding. */
  isVague(colour: number): boolean {
    return colour !== 0 && colour >>> 24 !== 255;
  }

  run(pixel: number, length: number, colour: number): void {
    const pixels = this.#pixels;
    for (let i = pixel; i < pixel + length; i++) pixels[i] = colour;
  }

  mix(pixel: number, shares: Shares): void {
    this.#pixels[pixel] = sharesColour(shares);
  }

  mixSurfaces(pixel: number, surfaces: Surfaces): void {
    this.#pixels[pixel] = surfacesColour(this.#mixer, surfaces);
  }
}

function sharesColour({ count, looks, samples }: Shares): number {
  if (count === 1) return looks[0] ?? 0;
  let redBlue = sumStart;
  let greenAlpha = sumStart;
  for (let i = 0; i < count; i++) {
    const colour = premultiplied(looks[i] ?? 0);
    const weight = samples[i] ?? 0;
    redBlue += (colour & 0xff00ff) * weight;
    greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
  }
  return meanColour(redBlue, greenAlpha);
}

/** What it takes to mix the surfaces in a pixel. */
type Mixer = {
  readonly texels: Int32Array;
  readonly parts: TexelParts;
  readonly stacks: readonly [Stack, Stack];
};

function createMixer(scene: Scene, texels: Int32Array): Mixer {
  return { texels, parts: createTexelParts(scene), stacks: [createStack(scene), createStack(scene)] };
}

/**
 * Mixes the surfaces in a pixel, front to back, until opaque texels cover all samples. While no texel is translucent, each
 * sample shows one texel, and the order in which their colours are added up makes no difference.
 */
function surfacesColour(mixer: Mixer, surfaces: Surfaces): number {
  const { texels, parts } = mixer;
  let rest = allSamples;
  let redBlue = sumStart;
  let greenAlpha = sumStart;
  for (let at = 0; at < surfaces.count && rest !== 0; at++) {
    const shown = (surfaces.masks[at] ?? 0) & rest;
    if (shown === 0) continue;
    parts.count = 0;
    addTexels(parts, surfaces, at, shown);
    for (let part = 0; part < parts.count; part++) {
      const texel = texels[parts.texels[part] ?? 0] ?? 0;
      const alpha = texel >>> 24;
      if (alpha === 0) continue;
      if (alpha !== 255) return stacksColour(mixer, surfaces);
      const mask = parts.masks[part] ?? 0;
      const colour = opaqueColour(texel, parts.shades[part] ?? 0);
      const weight = countSamples(mask);
      redBlue += (colour & 0xff00ff) * weight;
      greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
      rest &= ~mask;
    }
  }
  return meanColour(redBlue, greenAlpha);
}

/** Mixes the surfaces in a pixel by the stacks of its samples. */
function stacksColour({ texels, parts, stacks }: Mixer, surfaces: Surfaces): number {
  const [first, other] = stacks;
  findTexels(parts, surfaces, allSamples);
  let redBlue = sumStart;
  let greenAlpha = sumStart;
  let firstColour = 0;
  let isSame = true;
  for (let rest = allSamples; rest !== 0;) {
    const isFirst = rest === allSamples;
    const stack = isFirst ? first : other;
    const mask = stackAt(parts, stack, rest);
    const straightColour = stackColour(stack, 0, stack.count, texels);
    if (isFirst) firstColour = straightColour;
    else isSame &&= isSameStack(stack, first);
    const colour = premultiplied(straightColour);
    const weight = countSamples(mask);
    redBlue += (colour & 0xff00ff) * weight;
    greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
    rest &= ~mask;
  }
  // A mean of translucent colours is rounded, one colour is not.
  return isSame ? firstColour : meanColour(redBlue, greenAlpha);
}
