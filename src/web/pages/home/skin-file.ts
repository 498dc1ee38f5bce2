import { community } from "../../api/community.ts";
import { refusal, type Problem } from "../../api/problem.ts";
import { detectModel } from "../../../render/detect-model.ts";
import type { Model } from "../../../render/parts.ts";
import { showBytes } from "../../words/format.ts";
import { words } from "../../words/language.ts";

/** A skin that has not been sent yet. */
export type SkinFile = {
  readonly file: File;
  readonly picture: ImageBitmap;
  /** The arms that its pixels speak for. */
  readonly detected: Model;
};

/** Signature, length and type of the first chunk, then width and height (W3C PNG, third edition, 5.2 and 11.2.1). */
const headBytes = 24;
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Reads a file as a skin, or says why the API would refuse it: no PNG, too large, a measure that no skin has, wider than the server
 * takes. What only decoding on the server can find is left to the API.
 */
export async function readSkinFile(file: File): Promise<SkinFile | Problem> {
  const { home } = words.peek();
  const { skin_bytes_max: bytesMax, hd_width_max: widthMax } = community.rules;
  if (file.size > bytesMax) return refusal(home.tooLarge(showBytes(file.size), showBytes(bytesMax)));
  try {
    const size = sizeOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    if (size === null) return refusal(home.noPng);
    const { width, height } = size;
    const isSkin = width > 0 && width % 64 === 0 && (height === width || height * 2 === width);
    if (!isSkin) return refusal(home.wrongMeasure(width, height));
    if (width > widthMax) return refusal(home.tooFine(width, height, widthMax));
    // Colours under low alpha stay as they are.
    const picture = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    return { file, picture, detected: detectModel(pixelsOf(picture)) };
  } catch {
    return refusal(home.damaged);
  }
}

function sizeOf(head: Uint8Array): { readonly width: number; readonly height: number } | null {
  if (head.length < headBytes || !signature.every((byte, at) => head[at] === byte)) return null;
  const view = new DataView(head.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20) };
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
