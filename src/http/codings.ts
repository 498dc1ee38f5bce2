import { promisify } from "node:util";
import { gzip } from "node:zlib";

type Bytes = Uint8Array<ArrayBuffer>;

/** The ways in which answers are made smaller, the better one first. Both work in threads, away from the event loop. */
const codings: readonly { readonly name: string; readonly pack: (bytes: Bytes) => Promise<Uint8Array> }[] = [
  { name: "zstd", pack: (bytes) => Bun.zstdCompress(bytes) },
  { name: "gzip", pack: promisify(gzip) },
];

/** What fits into one packet anyway is not made faster. */
const bytesMin = 1024;

/**
 * Answers that hold a token are never compressed: a secret beside text that somebody else chose could be guessed from the
 * length (BREACH). All others hold none, and are asked for by a header that no foreign page can have a browser send.
 */
const tokenAddresses = /^https?:\/\/[^/]+\/(?:api\/)?auth\//;

/** The answer, smaller where it is large JSON and the client takes that. One with a tag of its own stays as it is. */
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

/** Whether the client takes a content coding (RFC 9110 12.5.3). A weight of 0 is a no. */
export function takesCoding(request: Request, coding: string): boolean {
  const taken = (request.headers.get("accept-encoding") ?? "").toLowerCase().split(",");
  return taken.some((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

function isCompressible({ url }: Request, { headers }: Response): boolean {
  if (!headers.get("content-type")?.startsWith("application/json")) return false;
  if (headers.has("etag") || headers.has("content-encoding")) return false;
  return !tokenAddresses.test(url);
}
