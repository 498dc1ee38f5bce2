import type { Bitmap } from "./bitmap.ts";
import { drawFlat, flatBody, flatHead, scaleNearest } from "./flat.ts";
import { normaliseCape } from "./cape-sheet.ts";
import { encodePng } from "./png-encode.ts";
import { prepareSkin, type SkinTexture } from "./skin-sheet.ts";

export type { SkinTexture } from "./skin-sheet.ts";

/** A picture to draw. `skin` types are flat, `player` types are 3D; `size` is the width in pixels, 8 to 1024. */
export type PictureRequest =
  | {
      readonly view: "head" | "body";
      readonly type: "skin" | "player";
      readonly size: number;
      readonly skin: SkinTexture;
    }
  | { readonly view: "cape"; readonly type: "skin"; readonly size: number; readonly cape: Bitmap }
  | {
      readonly view: "cape";
      readonly type: "player";
      readonly size: number;
      readonly skin: SkinTexture;
      readonly cape: Bitmap;
    };

/** Which picture, without its textures. */
export type PictureKind = Pick<PictureRequest, "view" | "type" | "size">;

/** Goes up whenever any picture of any texture changes; part of every ETag. */
export const RENDERER_VERSION: number = 1;

export function renderPng(request: PictureRequest): Uint8Array {
  return encodePng(renderPicture(request));
}

export function pictureSize({ view, type, size }: PictureKind): { width: number; height: number } {
  if (view === "head") return { width: size, height: size };
  if (view === "cape" && type === "skin") return { width: size, height: Math.round(size / 2) };
  return { width: size, height: size * 2 };
}

export function estimateMilliseconds(kind: PictureKind): number {
  const { width, height } = pictureSize(kind);
  return 0.3 + width * height * (kind.type === "skin" ? 1e-5 : 3e-5);
}

export function renderPicture(request: PictureRequest): Bitmap {
  const { width, height } = pictureSize(request);
  if (!("skin" in request)) return scaleNearest(normaliseCape(request.cape), width, height);
  return scaleNearest(
    drawFlat(prepareSkin(request.skin), request.view === "head" ? flatHead : flatBody),
    width,
    height,
  );
}
