import { refusals } from "../model/refusals.ts";
import type { Bitmap } from "../../render/bitmap.ts";
import { normaliseCape, wingsOf } from "../../render/cape-sheet.ts";
import { detectModel } from "../../render/detect-model.ts";
import { decodePng, decodeStoredPng } from "../../render/png-decode.ts";
import { encodePng } from "../../render/png-encode.ts";
import { checkPng, type PngLimits } from "../../render/png-structure.ts";
import { bitmapHash, sha256Hex } from "./hashes.ts";
import type { SkinModel } from "../model/texture.ts";
import type { IncomingCape, IncomingSkin, IncomingTexture } from "../ports/pictures.ts";

/** What operators set about uploaded textures. */
export type TextureRules = {
  /** Pixels. A skin that is wider than 64 is HD. */
  readonly skinWidthMax: number;
  /** Bytes of the uploaded file. */
  readonly bytesMax: number;
};

/**
 * Checks all of a file that can be checked without inflating it, in about a millisecond per megabyte, and
 * returns its size in pixels. `importSkin` and `importCape` check it as well. Fails as they do, with
 * too_large and invalid.
 */
export function checkFile(
  file: Uint8Array,
  rules: TextureRules,
): { readonly width: number; readonly height: number } {
  return checkPng(file, pngLimits(rules));
}

/**
 * Checks an uploaded skin and encodes its pixels again. A declared model wins; null: found from the pixels.
 * Fails with too_large over the limit and with invalid for a file that is no sound PNG of 64k x 64k or 64k x
 * 32k pixels, and for a slim 64k x 32k skin.
 */
export async function importSkin(
  file: Uint8Array,
  declared: SkinModel | null,
  rules: TextureRules,
): Promise<IncomingSkin> {
  const bitmap = await decodePng(file, pngLimits(rules));
  const { width, height } = bitmap;
  if (width % 64 !== 0 || (height !== width && height * 2 !== width)) {
    throw refusals.skinSize(`${width}x${height}`);
  }
  const legacy = height !== width;
  if (legacy && declared === "slim") throw refusals.noSlimFile();
  const model = declared ?? (legacy ? "classic" : detectModel(bitmap));
  return { ...encodedAgain(bitmap), model };
}

/**
 * Checks an uploaded cape and encodes its pixels again. The old formats 22k x 17k and 46k x 22k are padded to
 * 64k x 32k. Fails with too_large over the limit and with invalid for a file that is no sound PNG of one of
 * these sizes.
 */
export async function importCape(file: Uint8Array, rules: TextureRules): Promise<IncomingCape> {
  const sheet = normaliseCape(await decodePng(file, pngLimits(rules)));
  return { ...encodedAgain(sheet), wings: encodedWings(sheet) };
}

/** Takes the wings out of a stored cape, as a texture of their own; null where it has none. */
export function extractWings(file: Uint8Array): IncomingTexture | null {
  return encodedWings(decodeStoredPng(file));
}

function encodedWings(cape: Bitmap): IncomingTexture | null {
  const wings = wingsOf(cape);
  return wings === null ? null : encodedAgain(wings);
}

function pngLimits({ skinWidthMax, bytesMax }: TextureRules): PngLimits {
  return { widthMax: skinWidthMax, heightMax: skinWidthMax, bytesMax };
}

function encodedAgain(bitmap: Bitmap): IncomingTexture {
  const png = encodePng(bitmap);
  const { width, height } = bitmap;
  return { png, texture: { hash: bitmapHash(bitmap), digest: sha256Hex(png), width, height } };
}
