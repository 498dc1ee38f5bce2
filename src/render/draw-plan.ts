import { type Canvas, createCanvas } from "./bitmap.ts";
import type { Plan } from "./plan.ts";

/** Draws a plan with the texels of a skin (and, behind them, of a cape). Every pixel is a lookup or a short mix. */
export function drawPlan(plan: Plan, texels: Uint32Array): Canvas {
  const canvas = createCanvas(plan.width, plan.height);
  // As signed numbers words are small integers to the compiler; above 2^31 they would be floating point.
  const pixels = new Int32Array(canvas.words.buffer);
  const colours = stackColours(plan, texels);
  drawRuns(plan, colours, pixels);
  drawMixes(plan, colours.map(premultiplied), pixels);
  return canvas;
}

/** The colour of every stack, as words with straight alpha. */
function stackColours({ stackStarts, texels: numbers, shades }: Plan, texels: Uint32Array): Int32Array {
  const colours = new Int32Array(stackStarts.length - 1);
  for (let n = 1; n < colours.length; n++) {
    const end = stackStarts[n + 1] ?? 0;
    let red = 0;
    let green = 0;
    let blue = 0;
    let clear = 1;
    for (let i = stackStarts[n] ?? 0; i < end && clear > 0; i++) {
      const texel = texels[numbers[i] ?? 0] ?? 0;
      const alpha = texel >>> 24;
      if (alpha === 0) continue;
      const part = (clear * alpha) / 255;
      const light = (part * (shades[i] ?? 0)) / 255;
      red += (texel & 255) * light;
      green += ((texel >>> 8) & 255) * light;
      blue += ((texel >>> 16) & 255) * light;
      clear = alpha === 255 ? 0 : clear - part;
    }
    const cover = 1 - clear;
    if (cover > 0) colours[n] = toWord(red / cover, green / cover, blue / cover, cover * 255);
  }
  return colours;
}

function drawRuns({ runs }: Plan, colours: Int32Array, pixels: Int32Array): void {
  for (let i = 0; i < runs.length; i += 3) {
    const colour = colours[runs[i + 2] ?? 0] ?? 0;
    const start = runs[i] ?? 0;
    const end = start + (runs[i + 1] ?? 0);
    for (let pixel = start; pixel < end; pixel++) pixels[pixel] = colour;
  }
}

/** Averages premultiplied colours, two channels at a time: their sums need 14 bits, and each has 16. */
function drawMixes(plan: Plan, colours: Int32Array, pixels: Int32Array): void {
  const { mixPixels, mixStarts, shares, sampleCount } = plan;
  const shift = Math.log2(sampleCount);
  const half = (sampleCount >> 1) * 0x10001;
  for (let n = 0; n < mixPixels.length; n++) {
    const end = mixStarts[n + 1] ?? 0;
    let redBlue = half;
    let greenAlpha = half;
    for (let i = mixStarts[n] ?? 0; i < end; i++) {
      const share = shares[i] ?? 0;
      const colour = colours[share >>> 6] ?? 0;
      const weight = (share & 63) + 1;
      redBlue += (colour & 0xff00ff) * weight;
      greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
    }
    const mixed = ((redBlue >>> shift) & 0xff00ff) | (((greenAlpha >>> shift) & 0xff00ff) << 8);
    pixels[mixPixels[n] ?? 0] = straight(mixed);
  }
}

function premultiplied(word: number): number {
  const alpha = word >>> 24;
  if (alpha === 255) return word;
  const part = alpha / 255;
  return toWord((word & 255) * part, ((word >>> 8) & 255) * part, ((word >>> 16) & 255) * part, alpha);
}

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
