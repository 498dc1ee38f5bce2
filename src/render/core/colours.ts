import { faceColour, faceKnown, faceShade } from "./scene";

/** The colour of an opaque texel in the light of its face: each channel times brightness / 255, rounded. */
export function opaqueColour(texel: i32, shade: i32): i32 {
  return 0xff000000 | lit(texel & 0xff00ff, shade) | (lit((texel >> 8) & 0xff, shade) << 8);
}

/** (channel * shade + 127) / 255 for two channels, without a division. */
function lit(channels: i32, shade: i32): i32 {
  const product = channels * shade + 0x7f007f;
  return ((product + 0x10001 + ((product >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff;
}

/** The same, remembered for each face: neighbours mostly show the same texel. */
export function knownColour(face: usize, texel: i32): i32 {
  if (load<i32>(face, faceKnown) !== texel) {
    store<i32>(face, texel, faceKnown);
    store<i32>(face, opaqueColour(texel, load<i32>(face, faceShade)), faceColour);
  }
  return load<i32>(face, faceColour);
}

let red: f64 = 0;
let green: f64 = 0;
let blue: f64 = 0;
let clear: f64 = 1;
let first: i32 = 0;

/** Begins a stack: surfaces from front to back that are laid over each other. */
export function beginStack(): void {
  red = green = blue = 0;
  clear = 1;
  first = 0;
}

/** Lays a texel behind those of the stack. */
export function addToStack(texel: i32, shade: i32): void {
  const alpha = texel >>> 24;
  if (alpha === 0 || clear <= 0) return;
  if (alpha === 255 && clear === 1) {
    first = opaqueColour(texel, shade);
    clear = 0;
    return;
  }
  const part = (clear * <f64>alpha) / 255;
  const light = (part * <f64>shade) / 255;
  red += <f64>(texel & 255) * light;
  green += <f64>((texel >>> 8) & 255) * light;
  blue += <f64>((texel >>> 16) & 255) * light;
  clear = alpha === 255 ? 0 : clear - part;
}

/** The colour of the stack as a word with straight alpha. */
export function stackColour(): i32 {
  if (first !== 0) return first;
  const cover = 1 - clear;
  return cover > 0 ? toWord(red / cover, green / cover, blue / cover, cover * 255) : 0;
}

/** A colour with its alpha multiplied in, as it has to be to be averaged. */
export function premultiplied(word: i32): i32 {
  const alpha = word >>> 24;
  return alpha === 255 ? word : timesPart(word, <f64>alpha / 255);
}

/** The inverse of `premultiplied`, except for rounding. */
export function straight(word: i32): i32 {
  const alpha = word >>> 24;
  if (alpha === 255) return word;
  return alpha === 0 ? 0 : timesPart(word, 255 / <f64>alpha);
}

function timesPart(word: i32, part: f64): i32 {
  return toWord(
    <f64>(word & 255) * part,
    <f64>((word >>> 8) & 255) * part,
    <f64>((word >>> 16) & 255) * part,
    <f64>(word >>> 24),
  );
}

function toWord(red: f64, green: f64, blue: f64, alpha: f64): i32 {
  return ((<i32>(alpha + 0.5)) << 24) | (byteOf(blue) << 16) | (byteOf(green) << 8) | byteOf(red);
}

function byteOf(value: f64): i32 {
  return <i32>min(255, value + 0.5);
}
