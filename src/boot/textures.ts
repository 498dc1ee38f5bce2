/** Where texture files are: in the data folder, or in a bucket. What is for buckets is loaded only where the settings name one. */
import { openBlobFolder } from "../adapters/blob-fs/blob-store.ts";
import { textureFolder } from "../adapters/blob-fs/texture-folder.ts";
import type { BlobBucket } from "../adapters/blob-s3/blob-bucket.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { TexturePlace } from "../domain/ports/texture-files.ts";
import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import type { BucketSetting } from "./config/backup-settings.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";

/** The store of texture files; `bucket` is the same one where it is a bucket, else null. */
export type OpenedTextures = { readonly blobs: BlobStore; readonly bucket: BlobBucket | null };

type Options = {
  readonly communityId: () => Promise<string>;
  /** Of a server, which claims the bucket's prefix at its start; null for a command. */
  readonly log: Logger | null;
};

/**
 * Opens the store that the settings name. A server fails with conflict when the bucket's prefix is another community's; it starts
 * without a bucket that does not answer.
 */
export async function openTextures(
  { blobs: setting }: Pick<Config, "blobs">,
  folder: DataFolder,
  { communityId, log }: Options,
): Promise<OpenedTextures> {
  if (setting === null) return { blobs: await openBlobFolder(folder.textures), bucket: null };
  const bucket = await openBucket(setting, communityId, (reason) => {
    if (reason === null) log?.info("the bucket of the textures can be used again");
    else
      log?.warn(
        "the bucket of the textures cannot be used, so uploads and pictures that are not in memory fail",
        { reason },
      );
  });
  if (log !== null)
    await bucket.claim().catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
    });
  return { blobs: bucket, bucket };
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
  Pick<BlobStore, "read" | "strandedSeconds"> & { readonly name: string };

/** Opens the place that the settings name, which is not changed by this. */
export async function openTextureSource(
  { blobs: setting }: Pick<Config, "blobs">,
  folder: DataFolder,
): Promise<TextureSource> {
  if (setting === null)
    return { ...textureFolder(folder.textures, folder.damagedTextures), name: "textures" };
  const { bucket, prefix } = setting;
  return { ...(await openBucket(setting, unclaimed)), name: `s3://${bucket}/${prefix}`.replace(/\/$/, "") };
}

/** Fails with conflict where the bucket of the settings is another community's: all textures would seem lost. */
export async function refuseOtherPrefix({ blobs }: Pick<Config, "blobs">, community: string): Promise<void> {
  if (blobs === null) return;
  const owner = await (await openBucket(blobs, unclaimed)).owner();
  if (owner === null || owner === community) return;
  throw new AppError(
    "conflict",
    `s3://${blobs.bucket}/${blobs.prefix} holds the textures of another community: is BLOBS right?`,
  );
}

const unclaimed = () => Promise.reject(new Error("this bucket is only read"));
