import { createByteCache, type CacheStatistics } from "../../kernel/byte-cache.ts";
import { encodeBlank } from "../../render/png-encode.ts";
import { pictureSize, RENDERER_VERSION } from "../../render/render.ts";
import type { BlobStore, PictureJob, PictureRenderer } from "../ports.ts";
import { sha256Hex } from "./hashes.ts";
import type { DefaultSkin } from "./default-skin.ts";
import type { SkinModel, Texture } from "./texture.ts";

/** A PNG file that can be shown: one in the store, or one of the default skins. */
export type ImageFile = Texture | DefaultSkin;
/** A skin's file and the model that it is worn on. */
export type WornSkin = { readonly file: ImageFile; readonly model: SkinModel };

/** One picture of a player or a cape. `size` is in pixels, 8 to 1024. */
export type PictureRequest =
  | DrawnPicture
  /** Nothing, as large as the picture of a cape. */
  | { readonly view: "no-cape"; readonly type: "skin" | "player"; readonly size: number };

type DrawnPicture =
  | {
      readonly view: "head" | "body";
      readonly type: "skin" | "player";
      readonly size: number;
      readonly skin: WornSkin;
    }
  | { readonly view: "cape"; readonly type: "skin"; readonly size: number; readonly cape: ImageFile }
  | {
      readonly view: "cape";
      readonly type: "player";
      readonly size: number;
      readonly skin: WornSkin;
      readonly cape: ImageFile;
    };

/**
 * The PNGs that delivery answers with. Every one has a tag made from all that defines it, so equal tags mean equal bytes
 * and a tag is known without making the picture.
 */
export type Pictures = {
  readonly tagOfFile: (file: ImageFile) => string;
  readonly tagOf: (request: PictureRequest) => string;
  /** How well the memory for ready pictures and files serves. */
  readonly statistics: () => CacheStatistics;
  /** The bytes under a tag when they are in memory. */
  readonly peek: (tag: string) => Blob | undefined;
  /** The stored file's bytes. A file that is missing or damaged on disk is a fault. */
  readonly file: (file: ImageFile) => Promise<Blob>;
  /** The picture, from memory or made now. Equal requests at one time make it once. */
  readonly picture: (request: PictureRequest) => Promise<Blob>;
};

/** Pictures over stored files. `cacheBytes` is the memory for the ready ones. */
export function createPictures(deps: {
  readonly blobs: BlobStore;
  readonly render: PictureRenderer;
  readonly cacheBytes: number;
}): Pictures {
  const cache = createByteCache(deps.cacheBytes);
  const underway = new Map<string, Promise<Blob>>();

  const once = (tag: string, make: () => Promise<Uint8Array>): Promise<Blob> => {
    const ready = cache.get(tag);
    if (ready !== undefined) return Promise.resolve(ready);
    const running = underway.get(tag);
    if (running !== undefined) return running;
    const started = make()
      .then((bytes) => {
        // A Blob goes out without being copied for every answer.
        const png = new Blob([bytes]);
        cache.set(tag, png);
        return png;
      })
      .finally(() => underway.delete(tag));
    underway.set(tag, started);
    return started;
  };

  const read = (file: ImageFile): Promise<Uint8Array> =>
    "png" in file ? Promise.resolve(file.png) : readStored(deps.blobs, file);

  return {
    tagOfFile,
    tagOf,
    statistics: cache.statistics,
    peek: cache.get,
    file: (file) => once(tagOfFile(file), () => read(file)),
    picture: (request) =>
      once(tagOf(request), async () =>
        request.view === "no-cape"
          ? encodeBlank(pictureSize({ ...request, view: "cape" }))
          : deps.render(await jobOf(request, read)),
      ),
  };
}

async function readStored(blobs: BlobStore, { hash, digest }: Texture): Promise<Uint8Array> {
  const bytes = await blobs.read(hash);
  if (bytes === null) throw new Error(`The texture file ${hash} is missing in the data folder`);
  // Disks lose bits, and people edit files: what is not what the tag promises must not be kept for a year elsewhere.
  if (sha256Hex(bytes) !== digest) throw new Error(`The texture file ${hash} is damaged in the data folder`);
  return bytes;
}

function tagOfFile(file: ImageFile): string {
  return file.digest;
}

function tagOf(request: PictureRequest): string {
  const { view, type, size } = request;
  const skin = "skin" in request ? `${request.skin.model}-${request.skin.file.digest.slice(0, 32)}` : "";
  const cape = "cape" in request ? request.cape.digest.slice(0, 32) : "";
  return `${view}-${type}-${size}-${skin}-${cape}-r${RENDERER_VERSION}`;
}

async function jobOf(
  request: DrawnPicture,
  read: (file: ImageFile) => Promise<Uint8Array>,
): Promise<PictureJob> {
  const { view, type, size } = request;
  const skin =
    "skin" in request ? { skin: { png: await read(request.skin.file), model: request.skin.model } } : {};
  const cape = "cape" in request ? { cape: await read(request.cape) } : {};
  return { view, type, size, ...skin, ...cape };
}
