import { decodePng } from "../../render/png-decode.ts";
import { encodePng } from "../../render/png-encode.ts";
import { checkPng } from "../../render/png-structure.ts";
import { reduce } from "../../render/reduce.ts";
import type { TextureRules } from "./import.ts";

/** No setting allows wider files, so a larger one costs no more than an upload may. */
const widthMax = 4096;

/**
 * A file that is wider than uploads may be, as a smaller one; any other file as it is. Widths stay multiples
 * of 64 pixels. Fails with invalid for a file that is no sound PNG, and with too_large.
 */
export async function downscale(
  file: Uint8Array,
  { skinWidthMax, bytesMax }: TextureRules,
): Promise<Uint8Array> {
  const pngLimits = { widthMax, heightMax: widthMax, bytesMax };
  const { width } = checkPng(file, pngLimits);
  if (width <= skinWidthMax || width % 64 !== 0) return file;
  return encodePng(reduce(await decodePng(file, pngLimits), Math.floor(skinWidthMax / 64) * 64));
}
