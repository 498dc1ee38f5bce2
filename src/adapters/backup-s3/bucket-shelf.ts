import { S3Client } from "bun";
import type { BackupShelf } from "../../domain/ports/backup-ports.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";

export type Bucket = {
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Before every name; empty or with a slash at its end. */
  readonly prefix: string;
};

/** S3 takes 10,000 parts at most: these make 156 GiB. Two of them are in memory at once. */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 2;
/** Names on a page, which is the most that S3 gives, and pages: nobody keeps a million backups. */
const namesMax = 1000;
const pagesMax = 1000;

/** Backups in a bucket of an S3 service. Fails with internal, in the service's words, or with the reason to stop. */
export function bucketShelf({ endpoint, region, prefix, ...rest }: Bucket): BackupShelf {
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
      throw new AppError("internal", message, { cause: error });
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
 * Sent as a stream, for one that breaks makes Bun take back the parts that are there. A writer would leave them in the bucket
 * for ever, or, ended with an error, give half a backup its name.
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
  // It would be taken for a backup: by doctor, and by the next one when it counts which to remove.
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
    if (names.size === before) throw new Error("its list of names does not go on");
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
