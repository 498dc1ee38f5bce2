import { gzip } from "../../kernel/gzip.ts";
import { etagMatches, takesCoding } from "../negotiation.ts";

/** Answers requests for a file that never changes while the program runs. */
export type ServedFile = (request: Request) => Promise<Response>;

/** Serves a file, which is read, hashed and compressed at the first request. */
export function serveFile(file: {
  readonly type: string;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly headers?: Readonly<Record<string, string>>;
}): ServedFile {
  let prepared: Promise<Prepared> | undefined;

  return async (request) => {
    prepared ??= prepare(file.read).catch((error: unknown) => {
      // The next request tries again.
      prepared = undefined;
      throw error;
    });
    const { tag, plain, zipped } = await prepared;
    const zips = takesCoding(request, "gzip");
    const etag = zips ? `"${tag}-gzip"` : `"${tag}"`;
    const headers = {
      "content-type": file.type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
      etag,
      ...file.headers,
    };
    if (etagMatches(request, etag)) return new Response(null, { status: 304, headers });
    return zips
      ? new Response(zipped, { headers: { ...headers, "content-encoding": "gzip" } })
      : new Response(plain, { headers });
  };
}

type Prepared = {
  readonly tag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
};

async function prepare(read: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Prepared> {
  const plain = await read();
  const tag = new Bun.CryptoHasher("sha256").update(plain).digest("base64url").slice(0, 22);
  return { tag, plain, zipped: new Uint8Array(await gzip(plain)) };
}
