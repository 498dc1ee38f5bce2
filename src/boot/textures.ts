/**
 * Where texture files are: in the data folder, or in a bucket. Code for buckets is loaded only if the
 * settings name one.
 */
import { blobFolder } from "../adapters/blob-fs/blob-store.ts";
import { folderLabel } from "../adapters/blob-fs/folder-label.ts";
import { textureFolder } from "../adapters/blob-fs/texture-folder.ts";
import type { BlobBucket } from "../adapters/blob-s3/blob-bucket.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { LabelledPlace } from "../domain/ports/place-label.ts";
import type { TexturePlace } from "../domain/ports/texture-files.ts";
import type { Logger } from "../kernel/log.ts";
import type { BucketSetting } from "./config/backup-settings.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";

/**
 * A place of texture files: as a store, and by its label. `bucket` is the same one where it is a bucket, else
 * null.
 */
export type OpenedTextures = {
  readonly blobs: BlobStore;
  /** Makes what the store needs. */
  readonly prepare: () => Promise<void>;
  readonly place: LabelledPlace & Pick<BlobStore, "read" | "list">;
  readonly bucket: BlobBucket | null;
};

/**
 * Opens the place that the settings name. Nothing is asked of it, and nothing made there, before it is
 * needed.
 */
export async function openTextures(
  { blobs: setting }: Pick<Config, "blobs">,
  folder: DataFolder,
  { communityId, log = null }: { readonly communityId: () => Promise<string>; readonly log?: Logger | null },
): Promise<OpenedTextures> {
  if (setting === null) {
    const { prepare, ...blobs } = blobFolder(folder.textures);
    const { read, list } = blobs;
    return { blobs, prepare, place: { ...folderLabel(folder.textures), read, list }, bucket: null };
  }
  const bucket = await openBucket(setting, communityId, (reason) => {
    if (reason === null) log?.info("the bucket of the textures can be used again");
    else
      log?.warn(
        "the bucket of the textures cannot be used, so uploads and pictures that are not in memory fail",
        { reason },
      );
  });
  return { blobs: bucket, prepare: () => Promise.resolve(), place: bucket, bucket };
}

/** Opens a bucket, of which nothing is asked before it is needed. */
export async function openBucket(
  { secretAccessKey, ...setting }: BucketSetting,
  communityId: () => Promise<string>,
  onOutage?: (reason: string | null) => void,
): Promise<BlobBucket> {
  const { openBlobBucket } = await import("../adapters/blob-s3/blob-bucket.ts");
  const options = { ...setting, secretAccessKey: secretAccessKey.reveal() };
  return openBlobBucket({ ...options, ...(onOutage && { onOutage }) }, communityId);
}

/** The texture files for commands that look at them, and the place's name for people. */
export type TextureSource = TexturePlace &
  LabelledPlace &
  Pick<BlobStore, "read" | "list" | "strandedSeconds"> & { readonly name: string };

/** Opens the place that the settings name, which is not changed by this. */
export async function openTextureSource(
  { blobs: setting }: Pick<Config, "blobs">,
  folder: DataFolder,
): Promise<TextureSource> {
  if (setting === null)
    return {
      ...textureFolder(folder.textures, folder.damagedTextures),
      ...folderLabel(folder.textures),
      name: "textures",
    };
  const { bucket, prefix } = setting;
  return { ...(await openBucket(setting, unclaimed)), name: `s3://${bucket}/${prefix}`.replace(/\/$/, "") };
}

const unclaimed = () => Promise.reject(new Error("this bucket is only read"));
