import { sampleCount } from "./samples.ts";

/** Surfaces front to back: the texel that each shows, and its brightness from 0 to 255. */
type Surfaces = { readonly texels: Int32Array; readonly shades: Uint8Array };

/**
 * The colour of a stack as a word with straight alpha: its surfaces from `start` to before `end`, laid over
 * each other.
 */
export function stackColour(stack: Surfaces, start: number, end: number, texels: Int32Array): number {
  let red = 0;
  let green = 0;
  let blue = 0;
  let clear = 1;
  for (let i = start; i < end && clear > 0; i++) {
    const texel = texels[stack.texels[i] ?? 0] ?? 0;
    const alpha = texel >>> 24;
    const shade = stack.shades[i] ?? 0;
    if (alpha === 0) continue;
    if (alpha === 255 && clear === 1) return opaqueColour(texel, shade);
    const part = (clear * alpha) / 255;
    const light = (part * shade) / 255;
    red += (texel & 255) * light;
    green += ((texel >>> 8) & 255) * light;
    blue += ((texel >>> 16) & 255) * light;
    clear = alpha === 255 ? 0 : clear - part;
  }
  const cover = 1 - clear;
  return cover > 0 ? toWord(red / cover, green / cover, blue / cover, cover * 255) : 0;
}

/** The colour of an opaque texel in the light of its face. */
export function opaqueColour(texel: number, shade: number): number {
  const light = shade / 255;
  return (
    (255 << 24) |
    ((((texel >>> 16) & 255) * light + 0.5) << 16) |
    ((((texel >>> 8) & 255) * light + 0.5) << 8) |
    ((texel & 255) * light + 0.5)
  );
}

/** A colour with its alpha multiplied in, as it has to be to be averaged. */
export function premultiplied(word: number): number {
  const alpha = word >>> 24;
  if (alpha === 255) return word;
  const part = alpha / 255;
  return toWord((word & 255) * part, ((word >>> 8) & 255) * part, ((word >>> 16) & 255) * part, alpha);
}

/** The inverse of `premultiplied`, except for rounding. */
function straight(word: number): number {
  const alpha = word >>> 24;
  if (alpha === 255) return word;
  if (alpha === 0) return 0;
  const part = 255 / alpha;
  return toWord((word & 255) * part, ((word >>> 8) & 255) * part, ((word >>> 16) & 255) * part, alpha);
}

function toWord(red: number, green: number, blue: number, alpha: number): number {
  return (
    ((alpha + 0.5) << 24) |
    (Math.min(255, blue + 0.5) << 16) |
    (Math.min(255, green + 0.5) << 8) |
    Math.min(255, red + 0.5)
  );
}

/**
 * The mean of premultiplied colours, one for each sample of a pixel, by their sum: two channels in each of
 * two words, red and blue in one, green and alpha in the other, begun at `sumStart`. Each sum has 16 bits and
 * needs 12.
 */
export function meanColour(redBlue: number, greenAlpha: number): number {
  return straight(((redBlue >>> meanShift) & 0xff00ff) | (((greenAlpha >>> meanShift) & 0xff00ff) << 8));
}

/** Where sums begin: with half a step, so that the mean is rounded. */
export const sumStart = (sampleCount >> 1) * 0x10001;
const meanShift = Math.log2(sampleCount);
