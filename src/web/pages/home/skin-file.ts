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
};

/**
 * Reads a file as a skin, or says why the API would refuse it: no PNG, too large, a measure that no skin has, wider than the server
 * takes. What only decoding on the server can find is left to the API.
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
    return { ok: true, body: { picture, detected: detectModel(pixelsOf(picture)) } };
  } catch {
    return refused(home.damaged);
  }
}

function refused(text: string): Failed {
  return failed(refusal(text));
}

/** A canvas loses colour under low alpha; the rule for arms looks at alpha and at opaque pixels alone. */
function pixelsOf(picture: ImageBitmap) {
  const { width, height } = picture;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("the browser has no canvas");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}
