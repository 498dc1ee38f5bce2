import { AppError } from "../../kernel/errors.ts";
import type { Bitmap } from "../../render/bitmap.ts";
import { normaliseCape } from "../../render/cape-sheet.ts";
import { detectModel } from "../../render/detect-model.ts";
import { decodePng } from "../../render/png-decode.ts";
import { encodePng } from "../../render/png-encode.ts";
import { bitmapHash, sha256Hex } from "./hashes.ts";
import type { SkinModel, Texture } from "./texture.ts";

/** What operators set about incoming textures. */
export type TextureRules = {
  /** Pixels. A skin that is wider than 64 is HD. */
  readonly skinWidthMax: number;
  /** Bytes of the uploaded file. */
  readonly bytesMax: number;
};

/** A texture that has been checked and written anew, without metadata, but is not stored yet. */
export type IncomingTexture = { readonly texture: Texture; readonly png: Uint8Array };

/**
 * The one way in for skins. A declared model wins; without one it is found from the pixels. Fails with too_large over the
 * limit and with invalid for a file that is no sound PNG of 64k x 64k or 64k x 32k pixels, and for a slim 64k x 32k skin.
 */
export async function intakeSkin(
  file: Uint8Array,
  declared: SkinModel | null,
  rules: TextureRules,
): Promise<IncomingTexture & { readonly model: SkinModel }> {
  const bitmap = await decodeWithin(file, rules);
  const { width, height } = bitmap;
  if (width % 64 !== 0 || (height !== width && height * 2 !== width)) {
    const size = `${width}x${height}`;
    throw new AppError("invalid", `is ${size}; a skin is 64x64 or 64x32, or a whole multiple of one of them`);
  }
  const legacy = height !== width;
  if (legacy && declared === "slim")
    throw new AppError("invalid", "slim: a 64x32 skin has no slim arms; send a 64x64 one");
  const model = declared ?? (legacy ? "classic" : detectModel(bitmap));
  return { ...writtenAnew(bitmap), model };
}

/**
 * The one way in for capes. The old formats 22k x 17k and 46k x 22k are padded to 64k x 32k. Fails with too_large over the
 * limit and with invalid for a file that is no sound PNG of one of these sizes.
 */
export async function intakeCape(file: Uint8Array, rules: TextureRules): Promise<IncomingTexture> {
  return writtenAnew(normaliseCape(await decodeWithin(file, rules)));
}

function decodeWithin(file: Uint8Array, { skinWidthMax, bytesMax }: TextureRules): Promise<Bitmap> {
  return decodePng(file, { widthMax: skinWidthMax, heightMax: skinWidthMax, bytesMax });
}

function writtenAnew(bitmap: Bitmap): IncomingTexture {
  const png = encodePng(bitmap);
  const { width, height } = bitmap;
  return { png, texture: { hash: bitmapHash(bitmap), digest: sha256Hex(png), width, height } };
}
