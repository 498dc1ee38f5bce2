import { community } from "../../api/community.ts";
import { failed, refusal, type Failed, type Result } from "../../api/problem.ts";
import { detectModel } from "../../../render/detect-model.ts";
import type { Model } from "../../../render/parts.ts";
import { measureOfPng } from "../../parts/png-file.ts";
import { showBytes } from "../../words/format.ts";
import { words } from "../../words/language.ts";

/** A skin that has not been sent yet. */
export type SkinFile = {
  readonly picture: ImageBitmap;
  /** The arms that its pixels speak for. */
  readonly detected: Model;
  /** As `Texture_hash` of the API; null in browsers that lack it, and without a secure connection. */
  readonly hash: string | null;
};

/**
 * Reads a file as a skin, or says why the API would refuse it: no PNG, too large, a wrong size, wider than
 * allowed. Faults that only the server's decoder finds are left to the API.
 */
export async function readSkinFile(file: File): Promise<Result<SkinFile>> {
  const { home } = words.peek();
  const { skin_bytes_max: bytesMax, hd_width_max: widthMax } = community.rules;
  if (file.size > bytesMax) return refused(home.tooLarge(showBytes(file.size), showBytes(bytesMax)));
  try {
    const measure = await measureOfPng(file);
    if (measure === null) return refused(home.noPng);
    const { width, height } = measure;
    const isSkin = width > 0 && width % 64 === 0 && (height === width || height * 2 === width);
    if (!isSkin) return refused(home.wrongMeasure(width, height));
    if (width > widthMax) return refused(home.tooFine(width, height, widthMax));
    // Colours under low alpha stay as they are.
    const picture = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const pixels = pixelsOf(picture);
    return { ok: true, body: { picture, detected: detectModel(pixels), hash: await hashOf(pixels) } };
  } catch {
    return refused(home.damaged);
  }
}

type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/**
 * SHA-256 over width and height as big-endian 32-bit numbers, then column by column each pixel as A, R, G, B,
 * where R, G and B count as 0 under A = 0 (`src/domain/textures/hashes.ts`).
 */
async function hashOf({ width, height, data }: Pixels): Promise<string | null> {
  // Browsers offer it on https and on the same machine only.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle === undefined) return null;
  const bytes = new DataView(new ArrayBuffer(8 + data.length));
  bytes.setUint32(0, width);
  bytes.setUint32(4, height);
  const pixels = new DataView(data.buffer, data.byteOffset);
  let at = 8;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++, at += 4) {
      const rgba = pixels.getUint32((y * width + x) * 4);
      const alpha = rgba & 0xff;
      if (alpha > 0) bytes.setUint32(at, ((rgba >>> 8) | (alpha << 24)) >>> 0);
    }
  }
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes.buffer));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function refused(text: string): Failed {
  return failed(refusal(text));
}

/** A canvas loses colour under low alpha; the rule for arms looks at alpha and at opaque pixels alone. */
function pixelsOf(picture: ImageBitmap): Pixels {
  const { width, height } = picture;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("the browser has no canvas");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}
