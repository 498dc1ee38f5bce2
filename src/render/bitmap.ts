/**
 * Pixels as the renderer knows them: 8-bit RGBA in sRGB with straight (not premultiplied) alpha, row by row.
 */
export type Bitmap = {
  readonly width: number;
  readonly height: number;
  /** `width * height * 4` bytes. */
  readonly data: Uint8Array;
};

/**
 * A bitmap together with its pixels as words, for code that moves whole pixels. Both views share one buffer.
 */
export type Canvas = Bitmap & { readonly words: Uint32Array };

/** Makes a wholly transparent canvas. */
export function createCanvas(width: number, height: number): Canvas {
  const words = new Uint32Array(width * height);
  return { width, height, words, data: new Uint8Array(words.buffer) };
}

/**
 * The pixels as 32-bit words, `alpha << 24 | blue << 16 | green << 8 | red` (every machine that Bun runs on
 * is little-endian). A view of the bitmap's own bytes where their alignment allows, else a copy: read it,
 * never write it.
 */
export function wordsOf(bitmap: Bitmap): Uint32Array {
  const { data, width, height } = bitmap;
  if (data.byteOffset % 4 === 0) return new Uint32Array(data.buffer, data.byteOffset, width * height);
  return new Uint32Array(data.slice().buffer);
}

/** Copies a bitmap into a canvas that may be written. */
export function copyOf(bitmap: Bitmap): Canvas {
  const canvas = createCanvas(bitmap.width, bitmap.height);
  canvas.data.set(bitmap.data);
  return canvas;
}

/**
 * The same words as signed numbers, for inner loops: those are small integers to the compiler; above 2^31
 * they would be floating point.
 */
export function signedWords(words: Uint32Array): Int32Array {
  return new Int32Array(words.buffer, words.byteOffset, words.length);
}

/** Whether no pixel lets anything through. */
export function isOpaque(words: Uint32Array): boolean {
  for (const word of signedWords(words)) if (word >>> 24 !== 255) return false;
  return true;
}
