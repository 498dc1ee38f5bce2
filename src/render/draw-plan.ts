import { type Canvas, createCanvas, signedWords } from "./bitmap.ts";
import { meanColour, premultiplied, stackColour, sumStart } from "./colours.ts";
import type { Plan } from "./plan.ts";

/** Draws a plan with the texels of a skin (and, behind them, of a cape). Every pixel is a lookup or a short mix. */
export function drawPlan(plan: Plan, texels: Uint32Array): Canvas {
  const canvas = createCanvas(plan.width, plan.height);
  const pixels = signedWords(canvas.words);
  const colours = stackColours(plan, signedWords(texels));
  drawRuns(plan, colours, pixels);
  drawMixes(plan, colours.map(premultiplied), pixels);
  return canvas;
}

/** The colour of every stack, as words with straight alpha. */
function stackColours(plan: Plan, texels: Int32Array): Int32Array {
  const colours = new Int32Array(plan.stackStarts.length - 1);
  for (let n = 1; n < colours.length; n++) {
    colours[n] = stackColour(plan, plan.stackStarts[n] ?? 0, plan.stackStarts[n + 1] ?? 0, texels);
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

function drawMixes(plan: Plan, colours: Int32Array, pixels: Int32Array): void {
  const { mixPixels, mixStarts, shares } = plan;
  for (let n = 0; n < mixPixels.length; n++) {
    const end = mixStarts[n + 1] ?? 0;
    let redBlue = sumStart;
    let greenAlpha = sumStart;
    for (let i = mixStarts[n] ?? 0; i < end; i++) {
      const share = shares[i] ?? 0;
      const colour = colours[share >>> 6] ?? 0;
      const weight = (share & 63) + 1;
      redBlue += (colour & 0xff00ff) * weight;
      greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
    }
    pixels[mixPixels[n] ?? 0] = meanColour(redBlue, greenAlpha);
  }
}
