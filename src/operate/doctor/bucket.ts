import type { BlobBucket } from "../../adapters/blob-s3/blob-bucket.ts";
import { inspectDatabase } from "../../adapters/sqlite/inspect.ts";
import { openBucket } from "../../boot/textures.ts";
import type { DatabaseReach } from "../../boot/postgres-tools.ts";
import { AppError } from "../../kernel/errors.ts";
import { bucketService, certificateRefusal } from "./certificate-refusals.ts";
import { ok, problem, warning, type Finding, type Subject } from "./finding.ts";

/**
 * Whether the bucket of the textures answers, takes the keys, and is this community's. Nothing where textures
 * are files.
 */
export async function* checkBucket({ config, folder, reach }: Subject): AsyncIterable<Finding> {
  if (config.blobs === null) return;
  const { bucket: name, prefix } = config.blobs;
  const place = `s3://${name}/${prefix}`;
  const bucket = await openBucket(config.blobs, () => Promise.reject(new Error("doctor claims no prefix")));
  const found = await lookAt(bucket);
  if ("reason" in found) {
    const refused = certificateRefusal(found.reason, bucketService(config.blobs));
    yield refused ??
      problem(
        `${place} cannot be used, so uploads and pictures that are not in memory fail: ${found.reason}`,
        remedyOf(found.reason),
      );
    return;
  }
  const own = config.database === null ? ownCommunity(folder) : communityOf(await reach());
  if (found.community === null) yield ok(`${place} answers, and nothing was stored there yet`);
  else if (own !== null && found.community !== own)
    yield problem(
      `${place} holds the textures of another community`,
      "give BLOBS another prefix: the server refuses to start with this one",
    );
  else yield ok(`${place} answers, and can be read and written`);
  if (!found.honoursConditions)
    yield warning(
      `${place} ignores If-None-Match on a write`,
      "look for a newer version of the service: two communities that begin at once could share the prefix",
    );
}

/**
 * What the service answers with 403 and 404 is about the key and the bucket; everything else about the way to
 * it.
 */
function remedyOf(reason: string): string {
  if (reason.startsWith("403"))
    return "are S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY right, may the key list, read, write and delete there, and is this machine's clock right?";
  if (reason.startsWith("404")) return "make the bucket, or correct its name in BLOBS";
  return "does the service run, are S3_ENDPOINT and S3_REGION right, and is the way to it open?";
}

async function lookAt(bucket: BlobBucket) {
  try {
    return await bucket.look();
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { reason: bucket.outage() ?? cause.message };
  }
}

function communityOf(reach: DatabaseReach): string | null {
  return reach.state === "readable" ? reach.community : null;
}

/** Null where no database of today's schema is. */
function ownCommunity({ database, hasDatabase }: Subject["folder"]): string | null {
  if (!hasDatabase()) return null;
  using inspection = inspectDatabase(database);
  return inspection?.pending === 0 ? inspection.community() : null;
}
