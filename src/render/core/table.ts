import { litTexel, vagueColour } from "./block";
import { addToStack, beginStack, premultiplied, stackColour } from "./colours";
import { lastPart, numberBits } from "./lists";
import { runBits } from "./record";
import { allSamples } from "./samples";
import { addColour, beginSums, meanColour, meanOfSums, sumStart } from "./texels";

let texels: usize = 0;
let lights: usize = 0;
/** The colours of the texels in the light of their faces (see `litTexel`). */
let lit: usize = 0;

/** Lights the texels of a picture that has a table (see `record.ts`). */
export function light(lightsAt: usize, texelsAt: usize, litAt: usize): void {
  texels = texelsAt;
  lights = lightsAt;
  lit = litAt;
  const end = load<usize>(lights) << 2;
  for (let at: usize = 8; at < end; at += 4) {
    const word = load<u32>(lights + at);
    store<i32>(lit + at, litTexel(texelOf(word), word & 0xff));
  }
}

function texelOf(word: u32): i32 {
  return load<i32>(texels + ((<usize>(word >>> 8)) << 2));
}

/** Draws recorded rows with the texels that were lit last. There is room for three pixels behind them. */
export function show(runs: usize, pixelsAt: usize): void {
  const lists = runs + (load<usize>(runs) << 2) + 4;
  let to = pixelsAt;
  for (let at = runs + 4; at < lists; at += 4) {
    const run = load<u32>(at);
    const colour = colourOf(lists + ((<usize>(run & ((1 << runBits) - 1))) << 2));
    const end = to + ((<usize>(run >>> runBits)) << 2);
    if (ASC_FEATURE_SIMD) {
      // What is written beyond the end is written again.
      const colours = i32x4.splat(colour);
      for (; to < end; to += 16) v128.store(to, colours);
      to = end;
    } else {
      for (; to < end; to += 4) store<i32>(to, colour);
    }
  }
}

/** Goes from front to back until opaque texels cover all samples. */
function colourOf(list: usize): i32 {
  let rest = allSamples;
  let redBlue = sumStart;
  let greenAlpha = sumStart;
  for (let at = list; ; at += 4) {
    const part = load<u32>(at);
    const colour = load<i32>(lit + ((<usize>(part & numberBits)) << 2));
    const shown = (part >>> 16) & rest;
    if (colour !== 0 && shown !== 0) {
      if (colour === vagueColour) return mixStacks(list);
      if (shown === allSamples) return colour;
      const weight = popcnt(shown);
      redBlue += (colour & 0xff00ff) * weight;
      greenAlpha += ((colour >>> 8) & 0xff00ff) * weight;
      rest &= ~shown;
      if (rest === 0) break;
    }
    if ((part & lastPart) !== 0) break;
  }
  return meanColour(redBlue, greenAlpha);
}

/** The same where texels are translucent (see `mixVague`). */
function mixStacks(list: usize): i32 {
  beginSums();
  for (let rest = allSamples; rest !== 0;) {
    const sample = ctz(rest);
    let alike = rest;
    beginStack();
    for (let at = list; ; at += 4) {
      const part = load<u32>(at);
      const shown = part >>> 16;
      const isShown = ((shown >>> sample) & 1) !== 0;
      alike &= isShown ? shown : ~shown;
      if (isShown) {
        const word = load<u32>(lights + ((<usize>(part & numberBits)) << 2));
        addToStack(texelOf(word), word & 0xff);
      }
      if ((part & lastPart) !== 0) break;
    }
    const colour = stackColour();
    if (alike === allSamples) return colour;
    addColour(premultiplied(colour), popcnt(alike));
    rest &= ~alike;
  }
  return meanOfSums();
}
