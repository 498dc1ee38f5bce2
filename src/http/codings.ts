import { gzip } from "../kernel/gzip.ts";
import { takesCoding } from "./negotiation.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** How answers are compressed, the better way first. Both run in threads, off the event loop. */
const codings: readonly { readonly name: string; readonly pack: (bytes: Bytes) => Promise<Uint8Array> }[] = [
  { name: "zstd", pack: (bytes) => Bun.zstdCompress(bytes) },
  { name: "gzip", pack: gzip },
];

/** A smaller answer fits into one packet anyway. */
const bytesMin = 1024;

/**
 * Answers that hold a token are never compressed: an attacker who chooses text beside a secret could guess
 * the secret from the length (BREACH). All other answers hold no secret, or need a header that no foreign
 * page can have a browser send.
 */
const tokenAddresses = /^https?:\/\/[^/]+\/(?:(?:api\/)?auth\/|console\/(?:session|setup|social)\b)/;

/** Compresses large JSON for a client that takes it. An answer with a tag of its own stays as it is. */
export async function compress(request: Request, response: Response): Promise<Response> {
  if (!isCompressible(request, response)) return response;
  const { status, headers } = response;
  headers.append("vary", "Accept-Encoding");
  const coding = codings.find(({ name }) => takesCoding(request, name));
  if (coding === undefined || request.method === "HEAD") return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length < bytesMin) return new Response(bytes, { status, headers });
  headers.set("content-encoding", coding.name);
  headers.delete("content-length");
  return new Response(new Uint8Array(await coding.pack(bytes)), { status, headers });
}

function isCompressible({ url }: Request, { headers }: Response): boolean {
  if (!headers.get("content-type")?.startsWith("application/json")) return false;
  if (headers.has("etag") || headers.has("content-encoding")) return false;
  return !tokenAddresses.test(url);
}
