import { AppError, PlainError } from "../kernel/errors.ts";
import { readPlainFile } from "../kernel/plain-files.ts";
import { createCanvas } from "../render/bitmap.ts";
import { decodeStoredPng } from "../render/png-decode.ts";
import { encodePng } from "../render/png-encode.ts";

const bytesMax = 256 * 1024;
/** Four megabytes of pixels: a small file may unpack to gigabytes. */
const edgePixelsMax = 1024;
const pixelsMax = edgePixelsMax ** 2;
/** Pages show it at half of this size, which is sharp on fine screens. */
const edgeMax = 256;

const rule = `must be a PNG or WebP file of at most ${bytesMax / 1024} KiB and ${edgePixelsMax}x${edgePixelsMax} pixels in all`;

/** A community's logo, as pages and telephones show it. */
export type Logo = {
  /** A PNG that fits into 256x256 pixels. */
  readonly picture: Uint8Array<ArrayBuffer>;
  /** A PNG of 180x180 pixels without transparency, for home screens. */
  readonly touchIcon: Uint8Array<ArrayBuffer>;
};

/** Reads the community's logo and encodes it again. Fails with invalid for what is no such picture. */
export async function readLogo(path: string): Promise<Logo> {
  const file = await readLogoFile(path);
  try {
    const { format } = await new Bun.Image(file, { maxPixels: pixelsMax }).metadata();
    if (format !== "png" && format !== "webp")
      throw new PlainError("invalid", `${rule}; ${path} is ${format}`);
    return { picture: await fit(file, edgeMax, true), touchIcon: await drawTouchIcon(file) };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new PlainError("invalid", `${rule}; ${path} is none`, { cause });
  }
}

async function fit(
  file: Uint8Array<ArrayBuffer>,
  edge: number,
  withoutEnlargement: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const logo = new Bun.Image(file, { maxPixels: pixelsMax });
  return new Uint8Array(await logo.resize(edge, edge, { fit: "inside", withoutEnlargement }).png().bytes());
}

/** The edge that home screens ask for, and the margin that stays when they round the corners. */
const touchEdge = 180;
const touchMargin = 16;

/** The logo in the middle of a white square: home screens show transparent pixels as black ones. */
async function drawTouchIcon(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const logo = decodeStoredPng(await fit(file, touchEdge - 2 * touchMargin, false));
  const icon = createCanvas(touchEdge, touchEdge);
  icon.data.fill(255);
  const [left, top] = [logo.width, logo.height].map((length) => Math.floor((touchEdge - length) / 2));
  for (let at = 0; at < logo.data.length; at += 4) {
    const pixel = at / 4;
    const x = (left ?? 0) + (pixel % logo.width);
    const y = (top ?? 0) + Math.floor(pixel / logo.width);
    const opacity = (logo.data[at + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const value = 255 + ((logo.data[at + channel] ?? 0) - 255) * opacity;
      icon.data[(y * touchEdge + x) * 4 + channel] = Math.round(value);
    }
  }
  return new Uint8Array(encodePng(icon));
}

async function readLogoFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readPlainFile(path, bytesMax));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlainError("invalid", `${rule}; it cannot be read: ${reason}`, { cause });
  }
}
