import { AppError } from "../kernel/errors.ts";
import { readPlainFile } from "../kernel/plain-files.ts";

const bytesMax = 256 * 1024;
/** Four megabytes of pixels: a small file may unpack to gigabytes. */
const edgePixelsMax = 1024;
const pixelsMax = edgePixelsMax ** 2;
/** Pages show it at half of this size, which is sharp on fine screens. */
const edgeMax = 256;

const rule = `must be a PNG or WebP file of at most ${bytesMax / 1024} KiB and ${edgePixelsMax}x${edgePixelsMax} pixels in all`;

/** The community's logo, encoded again as a PNG that fits into 256x256 pixels. Fails with invalid for what is no such picture. */
export async function readLogo(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await readLogoFile(path);
  try {
    const { format } = await new Bun.Image(file, { maxPixels: pixelsMax }).metadata();
    if (format !== "png" && format !== "webp") throw new AppError("invalid", `${rule}; ${path} is ${format}`);
    const logo = new Bun.Image(file, { maxPixels: pixelsMax });
    return new Uint8Array(
      await logo.resize(edgeMax, edgeMax, { fit: "inside", withoutEnlargement: true }).png().bytes(),
    );
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid", `${rule}; ${path} is none`, { cause });
  }
}

async function readLogoFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readPlainFile(path, bytesMax));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("invalid", `${rule}; it cannot be read: ${reason}`, { cause });
  }
}
