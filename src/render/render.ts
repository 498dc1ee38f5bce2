import type { Bitmap } from "./bitmap.ts";
import { normaliseCape, prepareCape } from "./cape-sheet.ts";
import { drawPlan } from "./draw-plan.ts";
import { drawFlat, flatBody, flatHead, scaleNearest } from "./flat.ts";
import { planFor } from "./plan-cache.ts";
import { encodePng } from "./png-encode.ts";
import { prepareSkin, type SkinTexture } from "./skin-sheet.ts";
import { bodyView, capeView, headView, type View } from "./views.ts";

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
  if (request.view === "cape") {
    return request.type === "skin"
      ? scaleNearest(normaliseCape(request.cape), width, height)
      : drawView(capeView, request);
  }
  const isHead = request.view === "head";
  if (request.type === "player") return drawView(isHead ? headView : bodyView, request);
  return scaleNearest(drawFlat(prepareSkin(request.skin), isHead ? flatHead : flatBody), width, height);
}

function drawView(
  view: View,
  { size, skin, cape }: { size: number; skin: SkinTexture; cape?: Bitmap },
): Bitmap {
  const { canvas, model, scale: skinScale } = prepareSkin(skin);
  if (!cape) return drawPlan(planFor({ view, width: size, model, skinScale, capeScale: 1 }), canvas.words);
  const capeSheet = prepareCape(cape);
  const capeScale = capeSheet.width / 64;
  const plan = planFor({ view, width: size, model, skinScale, capeScale });
  const texels = new Uint32Array(canvas.words.length + capeSheet.words.length);
  texels.set(canvas.words);
  texels.set(capeSheet.words, canvas.words.length);
  return drawPlan(plan, texels);
}
