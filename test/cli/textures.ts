import { join } from "node:path";
import { createCanvas } from "../../src/render/bitmap.ts";
import { encodePng } from "../../src/render/png-encode.ts";

/**
 * Writes a PNG of one colour (`0xAABBGGRR`) and returns its path. The upper left pixel is see-through, as in
 * real skins.
 */
export async function writeTexture(
  folder: string,
  name: string,
  size: { readonly width: number; readonly height: number; readonly colour?: number },
): Promise<string> {
  const canvas = createCanvas(size.width, size.height);
  canvas.words.fill(size.colour ?? 0xff3366cc);
  canvas.words[0] = 0;
  const path = join(folder, name);
  await Bun.write(path, encodePng(canvas));
  return path;
}
