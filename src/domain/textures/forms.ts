import type { ImageFile, PictureRequest, WornSkin } from "./pictures.ts";

/** A file as it is stored, or a picture made from it. */
export type FileOrPicture = { readonly file: ImageFile } | { readonly picture: PictureRequest };

/** Widths that a texture's file is reduced to, in pixels. */
export const fileWidths = [64, 128, 256, 512] as const;
/** One of these. */
export type FileWidth = (typeof fileWidths)[number];

/**
 * How a file is wanted: a skin for clients before 1.8 or as it is, and how wide it may be; null: as wide as
 * it is.
 */
export type FileForm = { readonly layout: "legacy" | null; readonly width: FileWidth | null };

/** A texture's file no wider than `width`; it is never enlarged. */
export function reducedFile(file: ImageFile, width: FileWidth | null): FileOrPicture {
  if (width === null || file.width <= width) return { file };
  return { picture: { view: "reduced", type: "skin", size: width, texture: file } };
}

/** A skin's file in a form. The layout `legacy` is 64x32 whatever the width. */
export function skinInForm(skin: WornSkin, { layout, width }: FileForm): FileOrPicture {
  const { file } = skin;
  if (layout === null) return reducedFile(file, width);
  const isLegacy = file.width === 64 && file.height === 32;
  return isLegacy ? { file } : { picture: { view: "legacy", type: "skin", size: 64, skin } };
}

/** A skin's file for clients before 1.8: 64x32. */
export function legacySkin(skin: WornSkin): FileOrPicture {
  return skinInForm(skin, { layout: "legacy", width: null });
}
