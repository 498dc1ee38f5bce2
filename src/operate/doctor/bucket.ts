import type { BlobBucket } from "../../adapters/blob-s3/blob-bucket.ts";
import { inspectDatabase } from "../../adapters/sqlite/inspect.ts";
import { openBucket } from "../../boot/textures.ts";
import { AppError } from "../../kernel/errors.ts";
import { ok, problem, warning, type Finding, type Subject } from "./finding.ts";

/** Whether the bucket of the textures answers, takes the keys, and is this community's. Nothing where textures are files. */
export async function* checkBucket({ config, folder }: Subject): AsyncIterable<Finding> {
  if (config.blobs === null) return;
  const { bucket: name, prefix } = config.blobs;
  const place = `s3://${name}/${prefix}`;
  const bucket = await openBucket(config.blobs, () => Promise.reject(new Error("doctor claims no prefix")));
  const found = await lookAt(bucket);
  if ("reason" in found) {
    yield problem(
      `${place} does not answer: ${found.reason}`,
      "check BLOBS and the S3_ settings: until it answers, uploads and pictures that are not in memory fail",
    );
    return;
  }
  const own = config.database === null ? ownCommunity(folder) : null;
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

async function lookAt(bucket: BlobBucket) {
  try {
    return await bucket.look();
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { reason: bucket.outage() ?? cause.message };
  }
}

/** Null where no database of today's schema is. */
function ownCommunity({ database, hasDatabase }: Subject["folder"]): string | null {
  if (!hasDatabase()) return null;
  using inspection = inspectDatabase(database);
  return inspection?.pending === 0 ? inspection.community() : null;
}
