import { S3Client } from "bun";
import type { BackupTarget } from "../../domain/ports/backup-ports.ts";
import { codeOf, PlainError } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";

export type Bucket = {
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Precedes every name; empty or with a slash at its end. */
  readonly prefix: string;
};

/** S3 allows at most 10,000 parts, which make 156 GiB of this size. Two of them are in memory at once. */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 2;
/** S3's largest page of names, and the most pages that are read: together a million backups. */
const namesMax = 1000;
const pagesMax = 1000;

/**
 * Backups in a bucket of an S3 service. Fails with internal and the service's message, or with the signal's
 * reason.
 */
export function bucketTarget({ endpoint, region, prefix, ...rest }: Bucket): BackupTarget {
  const client = new S3Client({
    ...rest,
    ...(endpoint === null ? {} : { endpoint }),
    region: region ?? "us-east-1",
  });
  const asked = async <T>(refusal: string, answer: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      signal?.throwIfAborted();
      const message = `the bucket ${rest.bucket} ${refusal}: ${wordsOf(error)}`;
      throw new PlainError("internal", message, { cause: error });
    }
  };

  return {
    put: async (path, name, signal) => {
      await asked("does not take backups", upload(client, prefix + name, { path, signal }), signal);
      return `s3://${rest.bucket}/${prefix}${name}`;
    },
    list: () => asked("cannot be listed", listNames(client, prefix)),
    remove: (name) => asked(`does not remove ${name}`, client.delete(prefix + name)),
  };
}

/**
 * Uploads as a stream, because Bun removes the uploaded parts of a stream that breaks. A writer would leave
 * them in the bucket for ever or, if it ended with an error, complete half a backup under its name.
 */
async function upload(
  client: S3Client,
  key: string,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<void> {
  const file = Bun.file(path);
  const content = file.stream().pipeThrough(new TransformStream(), { signal });
  const sending = { partSize: partBytes, queueSize: partsAtOnce, retry: 3, type: "application/zstd" };
  await client.write(key, new Response(content), sending);
  const { size } = await client.stat(key);
  if (size === file.size) return;
  // Otherwise doctor and the next prune would take it for a backup.
  const left = await client.delete(key).then(
    () => "",
    (error: unknown) => `, and does not remove them: ${wordsOf(error)}`,
  );
  throw new Error(`it keeps ${size} bytes of ${file.size}${left}`);
}

async function listNames(client: S3Client, prefix: string): Promise<readonly string[]> {
  const names = new Set<string>();
  let after = {};
  for (let page = 0; page < pagesMax; page++) {
    const { contents = [], isTruncated } = await client.list({ prefix, maxKeys: namesMax, ...after });
    const before = names.size;
    for (const { key } of contents) {
      names.add(key.slice(prefix.length));
      after = { startAfter: key };
    }
    if (isTruncated !== true) return [...names];
    if (names.size === before) throw new Error("its list of names does not continue");
  }
  throw new Error("its list of names has no end");
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = networkReason(error);
  if (reason !== null) return reason;
  const code = codeOf(error);
  return code === null ? error.message : `${error.message} (${code})`;
}
