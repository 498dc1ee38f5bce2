import { limits } from "../kernel/limits.ts";
import type { Bitmap } from "./bitmap.ts";
import { normaliseCape, prepareCape, prepareWings } from "./cape-sheet.ts";
import { drawScene } from "./draw.ts";
import { drawCombo, drawFlat, flatBody, flatBust, flatHead, scaleNearest } from "./flat.ts";
import { legacySheet } from "./legacy-sheet.ts";
import type { Model } from "./parts.ts";
import { encodePng } from "./png-encode.ts";
import { reduce } from "./reduce.ts";
import type { SceneKey } from "./scene.ts";
import { prepareSkin, type SkinTexture } from "./skin-sheet.ts";
import { hasTable } from "./tables.ts";
import { bodyView, capeView, elytraView, headView, isometricView, type View } from "./views.ts";

/** Part of a request, so callers find it beside the request. */
export type { SkinTexture } from "./skin-sheet.ts";

/**
 * Which picture, whatever its textures: `skin` is flat, `player` is 3D, `isometric` 3D without perspective;
 * `size` is the width in pixels, 8 to 1024, of a flat head from 1. `bust` is the upper half of the body's
 * front, `combo` face and front side by side, `elytra` the player from behind. `legacy` and `reduced` are
 * texture files in another form (`legacySheet`, `reduce`), always flat.
 */
export type PictureKind = {
  readonly view: "head" | "bust" | "body" | "combo" | "cape" | "elytra" | "legacy" | "reduced";
  readonly type: "skin" | "player" | "isometric";
  readonly size: number;
} & PictureOptions;

/** Further options of some pictures of a skin. */
export type PictureOptions = {
  /** Height of an isometric picture in pixels: the figure is fitted in. Left out: as its view has it. */
  readonly height?: number;
  /** `first`: the second layer is left out. Flat and isometric pictures know it. */
  readonly layers?: "first";
  /**
   * `left`: an isometric picture is seen from the side of the player's left. Left out: from the other one.
   */
  readonly side?: "left";
};

/**
 * A picture to draw. Textures are as uploaded; a cape may have any of the sizes that `normaliseCape` knows.
 */
export type PictureRequest = PictureKind &
  (
    | { readonly view: "head" | "body" | "legacy"; readonly skin: SkinTexture }
    | { readonly view: "bust" | "combo"; readonly type: "skin"; readonly skin: SkinTexture }
    | { readonly view: "cape"; readonly type: "skin"; readonly cape: Bitmap }
    | { readonly view: "cape"; readonly type: "player"; readonly skin: SkinTexture; readonly cape: Bitmap }
    | { readonly view: "elytra"; readonly type: "player"; readonly skin: SkinTexture; readonly cape: Bitmap }
    | { readonly view: "reduced"; readonly texture: Bitmap }
  );

/** Goes up whenever a picture of any texture changes by a pixel; part of every ETag. */
export const RENDERER_VERSION = 2;

/** Draws a picture and writes it as PNG. Fails as `renderPicture` does. */
export function renderPng(request: PictureRequest): Uint8Array {
  return encodePng(renderPicture(request));
}

/**
 * Draws a picture. `skin` pictures are flat and sharp: the front with both layers, of a cape its whole sheet.
 * `player` pictures are 3D on a transparent ground, shaded, smooth at every edge. A skin whose declared model
 * cannot be right (slim with 64x32) is drawn as classic. Fails with invalid if a texture has a size that no
 * skin or cape can have. Forms of a texture are as `legacySheet` and `reduce` make them.
 */
export function renderPicture(request: PictureRequest): Bitmap {
  if (request.view === "legacy") return legacySheet(request.skin);
  if (request.view === "reduced") return reduce(request.texture, request.size);
  const { width, height } = pictureSize(request);
  if (request.view === "cape" && request.type === "skin") {
    return scaleNearest(normaliseCape(request.cape), width, height);
  }
  if (request.type !== "skin") return drawView(request, { width, height });
  const { view, layers = "both" } = request;
  const sheet = prepareSkin(request.skin);
  if (view === "combo") return drawCombo(sheet, width, layers);
  return scaleNearest(drawFlat(sheet, flatViews[view], layers), width, height);
}

const flatViews = { head: flatHead, bust: flatBust, body: flatBody };

/**
 * Width and height of a picture in pixels: a head is square, a flat cape and a legacy sheet half as high as
 * wide (rounded up), all else twice as high as wide unless it names its height. A reduced texture is as wide
 * and at most as high. Callers let only whole sizes within the limits through; any other is a RangeError.
 */
export function pictureSize({ view, type, size, height }: PictureKind): { width: number; height: number } {
  const least = view === "head" && type === "skin" ? limits.faceSizeMin : limits.pictureSizeMin;
  for (const [pixels, most] of [
    [size, limits.pictureSizeMax],
    [height ?? size, 2 * limits.pictureSizeMax],
  ] as const) {
    if (Number.isInteger(pixels) && pixels >= least && pixels <= most) continue;
    throw new RangeError(`A picture of ${pixels} pixels was not refused`);
  }
  if (type === "isometric" && height !== undefined) return { width: size, height };
  if (isSquare[view]) return { width: size, height: size };
  if (view === "legacy" || (view === "cape" && type === "skin"))
    return { width: size, height: Math.ceil(size / 2) };
  return { width: size, height: size * 2 };
}

const isSquare = {
  head: true,
  bust: true,
  body: false,
  combo: true,
  cape: false,
  elytra: false,
  legacy: false,
  reduced: true,
} as const satisfies Readonly<Record<PictureKind["view"], boolean>>;

/** What decides how long a picture takes. */
export type PictureCost = PictureKind & {
  readonly model?: Model;
  /** Widths of the textures in texels. */
  readonly skinWidth?: number;
  readonly capeWidth?: number;
  readonly textureWidth?: number;
};

/**
 * Guesses how many milliseconds a picture takes on this thread now, on one core of 2.5 GHz: encoding
 * included, decoding its textures left out. From 256 pixels on it is within a third of what the core took,
 * with textures that differ in every texel (capes take up to a half less); a process's first picture takes 10
 * to 20 ms more.
 */
export function estimateMilliseconds(cost: PictureCost): number {
  const { width, height } = pictureSize(cost);
  const pixels = width * height;
  if (cost.view === "legacy" || cost.view === "reduced") return formMilliseconds(cost);
  if (cost.type === "skin") return 0.1 + pixels * 5e-6;
  const scale = (cost.skinWidth ?? 64) / 64;
  const view = viewOf(cost);
  const capeScale = (cost.capeWidth ?? 64) / 64;
  const { model } = cost;
  if (model && hasTable({ view, width, height, model, skinScale: scale, capeScale }))
    return 0.1 + pixels * 6e-6;
  // Pixels with a border between texels, of which a body has nearly three times as many as a head.
  const heads = view.aspect === 1 ? 1 : 2.7;
  const borders = Math.min(pixels * 0.75, heads * width * scale * 20);
  return 0.4 + pixels * 10e-6 + borders * 6e-5 + scale ** 2 * 7e-3;
}

/** Every texel of the source is added up, and every pixel of the result encoded. */
function formMilliseconds({ size, skinWidth = 0, textureWidth = skinWidth }: PictureCost): number {
  return 0.2 + textureWidth ** 2 * 25e-6 + size ** 2 * 1e-4;
}

function viewOf({ view, type, layers, side }: PictureKind): View {
  if (view === "cape") return capeView;
  if (view === "elytra") return elytraView;
  const part = view === "head" ? "head" : "body";
  if (type === "isometric") return isometricView(part, layers ?? "both", side ?? "right");
  return part === "head" ? headView : bodyView;
}

type Dressed = PictureKind & { readonly skin: SkinTexture; readonly cape?: Bitmap };
type Size = ReturnType<typeof pictureSize>;

function drawView({ skin, cape, ...kind }: Dressed, { width, height }: Size): Bitmap {
  const { canvas, model, scale: skinScale } = prepareSkin(skin);
  const capeSheet = cape && (kind.view === "elytra" ? prepareWings(cape) : prepareCape(cape));
  const capeScale = capeSheet ? capeSheet.width / 64 : 1;
  const texels = capeSheet ? joined(canvas.words, capeSheet.words) : canvas.words;
  const key: SceneKey = { view: viewOf(kind), width, height, model, skinScale, capeScale };
  return drawScene(key, texels);
}

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
