import { type Canvas, type Bitmap } from "../../render/bitmap.ts";
import { normaliseCape, prepareCape, prepareWings, wingsOf } from "../../render/cape-sheet.ts";
import type { Model } from "../../render/parts.ts";
import { prepareSkin, type SkinTexture } from "../../render/skin-sheet.ts";
import { bodyView, capeView, elytraView, type View } from "../../render/views.ts";
import type { AnimationName } from "./animations.ts";

/** What a figure wears. Textures are as uploaded, in any size that the server takes. */
export type Look<Texture> = {
  readonly skin: Texture;
  readonly model: Model;
  readonly cape?: Texture | null;
  /** Wings for an elytra. Left out: those of the cape, where it has some. */
  readonly elytra?: Texture | null;
};

/** What hangs on a player's back. */
export type Back = "nothing" | "cape" | "elytra";

/** The server's view that shows it, whose parts are drawn and whose frame is kept. */
export const viewOfBack: Readonly<Record<Back, View>> = {
  nothing: bodyView,
  cape: capeView,
  elytra: elytraView,
};

/** A look made ready to draw, by the rules of the server's pictures. */
export type Dress = {
  readonly skin: Canvas;
  readonly model: Model;
  readonly sheets: Readonly<Partial<Record<Exclude<Back, "nothing">, Canvas>>>;
};

/** Makes a look ready. Fails with invalid for textures whose size no skin or cape can have. */
export function prepareLook({ skin, model, cape, elytra }: Look<Bitmap>): Dress {
  const texture: SkinTexture = { bitmap: skin, model };
  const sheet = prepareSkin(texture);
  const wings = elytra ?? (cape ? wingsOf(normaliseCape(cape)) : null);
  return {
    skin: sheet.canvas,
    model: sheet.model,
    sheets: { ...(cape && { cape: prepareCape(cape) }), ...(wings && { elytra: prepareWings(wings) }) },
  };
}

/**
 * Who flies spreads the wings that he has; otherwise the cape is worn, or the wings where there is no cape.
 */
export function backOf({ sheets: { cape, elytra } }: Dress, animation: AnimationName | null): Back {
  if (elytra && (animation === "fly" || !cape)) return "elytra";
  return cape ? "cape" : "nothing";
}
