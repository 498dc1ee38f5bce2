import type { Bitmap } from "../../src/render/bitmap.ts";
import { decodeStoredPng } from "../../src/render/png-decode.ts";
import { encodePng } from "../../src/render/png-encode.ts";

const scout = decodeStoredPng(await Bun.file(`${import.meta.dir}/../../docs/examples/scout.png`).bytes());

/** A skin that a person could have drawn, in colours that no other number gives. */
export function paintedSkin(number: number): Bitmap {
  const shifts = [number * 7, number >> 5, number * 3, 0];
  const data = scout.data.map((value, i) => value + (shifts[i % 4] ?? 0));
  return { ...scout, data };
}

export function paintedSkinFile(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodePng(paintedSkin(number)));
}
