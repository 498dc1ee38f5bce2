/** Pixels as the renderer knows them: 8-bit RGBA in sRGB with straight (not premultiplied) alpha, row by row. */
export type Bitmap = {
  readonly width: number;
  readonly height: number;
  /** `width * height * 4` bytes. */
  readonly data: Uint8Array;
};
