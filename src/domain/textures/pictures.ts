import { createByteCache, type CacheStatistics } from "../../kernel/byte-cache.ts";
import { SharedRuns } from "../../kernel/shared-runs.ts";
import type { Waiter, Waiters } from "../../kernel/waiters.ts";
import { encodeBlank } from "../../render/png-encode.ts";
import { pictureSize, type PictureOptions, RENDERER_VERSION } from "../../render/render.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { PictureOrder, PictureRenderer, TextureSize } from "../ports/pictures.ts";
import { readTexture } from "./stored-file.ts";
import type { SkinModel, Texture } from "../model/texture.ts";

/** The file shown for players who chose no skin. */
export type DefaultSkin = TextureSize & { readonly png: Uint8Array; readonly digest: string };
/** One for each model. */
export type DefaultSkins = Readonly<Record<SkinModel, DefaultSkin>>;

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
  | FigurePicture
  | { readonly view: "cape"; readonly type: "skin"; readonly size: number; readonly cape: ImageFile }
  | {
      /** For an elytra, `cape` is the file of its wings. */
      readonly view: "cape" | "elytra";
      readonly type: "player";
      readonly size: number;
      readonly skin: WornSkin;
      readonly cape: ImageFile;
    }
  | TextureForm;

/** A picture of a player in a skin. */
export type FigurePicture = PictureOptions & { readonly size: number; readonly skin: WornSkin } & (
    | { readonly view: "head" | "body"; readonly type: "skin" | "player" | "isometric" }
    | { readonly view: "bust" | "combo"; readonly type: "skin" }
  );

/** A texture's file in another form (`formOf`). */
type TextureForm =
  | { readonly view: "legacy"; readonly type: "skin"; readonly size: 64; readonly skin: WornSkin }
  | { readonly view: "reduced"; readonly type: "skin"; readonly size: number; readonly texture: ImageFile };

/**
 * The PNGs that delivery answers with. Every one has a tag made from all that defines it, so equal tags mean
 * equal bytes and a tag is known without making the picture.
 */
export type Pictures = {
  readonly tagOfFile: (file: ImageFile) => string;
  readonly tagOf: (request: PictureRequest) => string;
  /** Contents, hits and misses of the cache of pictures and files. */
  readonly statistics: () => CacheStatistics;
  /** The bytes under a tag when the cache has them. */
  readonly peek: (tag: string) => Blob | undefined;
  /**
   * The stored file's bytes. A file that is missing or damaged is a fault; fails with unavailable as its
   * store does.
   */
  readonly file: (file: ImageFile) => Promise<Blob>;
  /**
   * The picture, from the cache or made now. Equal requests at one time share one rendering, which is dropped
   * when all of them are gone. Fails as the renderer does.
   */
  readonly picture: (request: PictureRequest, waiter: Waiter) => Promise<Blob>;
};

/** Pictures of stored files. `cacheBytes` bounds the cache. */
export function createPictures(deps: {
  readonly blobs: Pick<BlobStore, "read">;
  readonly render: PictureRenderer;
  readonly cacheBytes: number;
}): Pictures {
  const cache = createByteCache(deps.cacheBytes);
  const runs = new SharedRuns(cache);
  // A Blob goes out without being copied for every answer.
  const shared = (tag: string, waiter: Waiter, make: (waiters: Waiters) => Promise<Uint8Array>) =>
    runs.get(tag, waiter, async (waiters) => new Blob([await make(waiters)]));
  const read = (file: ImageFile): Promise<Uint8Array> =>
    "png" in file ? Promise.resolve(file.png) : readStored(deps.blobs, file);

  return {
    tagOfFile,
    tagOf,
    statistics: cache.statistics,
    peek: cache.get,
    file: (file) => shared(tagOfFile(file), alwaysWaiting, () => read(file)),
    picture: (request, waiter) =>
      shared(tagOf(request), waiter, async (waiters) =>
        request.view === "no-cape"
          ? encodeBlank(pictureSize({ ...request, view: "cape" }))
          : deps.render(orderOf(request, read), waiters),
      ),
  };
}

/** A file is read without a queue, so its waiters do not matter. */
const alwaysWaiting: Waiter = { client: "", gone: null };

/** Other caches must not keep wrong bytes under this tag for a year. */
async function readStored(blobs: Pick<BlobStore, "read">, texture: Texture): Promise<Uint8Array> {
  const found = await readTexture(blobs, texture);
  if (typeof found === "string") throw new Error(`The texture's file ${texture.file} is ${found}`);
  return found;
}

function tagOfFile(file: ImageFile): string {
  return file.digest;
}

function tagOf(request: PictureRequest): string {
  const { view, type, size } = request;
  const skin = "skin" in request ? `${request.skin.model}-${request.skin.file.digest.slice(0, 32)}` : "";
  const other = "cape" in request ? request.cape : "texture" in request ? request.texture : null;
  const { height, layers, side } = optionsOf(request);
  const options = [height && `h${height}`, layers, side].filter((option) => option !== undefined);
  const end = ["", ...options, `r${RENDERER_VERSION}`].join("-");
  return `${view}-${type}-${size}-${skin}-${other?.digest.slice(0, 32) ?? ""}${end}`;
}

/** The options of a picture that has any. */
function optionsOf({ height, layers, side }: PictureOptions & Pick<PictureRequest, "view">): PictureOptions {
  return { ...(height !== undefined && { height }), ...(layers && { layers }), ...(side && { side }) };
}

function orderOf(request: DrawnPicture, read: (file: ImageFile) => Promise<Uint8Array>): PictureOrder {
  const { view, type, size } = request;
  const kind = { view, type, size, ...optionsOf(request) };
  const skin = "skin" in request ? request.skin : null;
  const cape = "cape" in request ? request.cape : null;
  const texture = "texture" in request ? request.texture : null;
  return {
    ...kind,
    ...(skin && { skin: { ...sizeOf(skin.file), model: skin.model } }),
    ...(cape && { cape: sizeOf(cape) }),
    ...(texture && { texture: sizeOf(texture) }),
    read: async () => ({
      ...kind,
      ...(skin && { skin: { png: await read(skin.file), model: skin.model } }),
      ...(cape && { cape: await read(cape) }),
      ...(texture && { texture: await read(texture) }),
    }),
  };
}

function sizeOf({ width, height }: ImageFile): TextureSize {
  return { width, height };
}
