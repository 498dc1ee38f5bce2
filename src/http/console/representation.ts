import { etagMatches, variantOf, type StoredCoding } from "../negotiation.ts";
import type { Http } from "../http.ts";
import type { CachedResponse } from "../response-cache.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** One form of a resource, ready to be sent: the bytes in a coding with all headers. */
export type Representation = {
  /** In quotes, as headers have it. */
  readonly etag: string;
  readonly headers: Headers;
  readonly body: Blob;
};

/** How long a representation answers its address without the router (`CachedResponse`). */
export type Lasting = Pick<CachedResponse, "subjects" | "ownBytes"> &
  Partial<Pick<CachedResponse, "holds">> & {
    /** The place in the feed of changes before anything was read for it. */
    readonly position: number;
  };

/**
 * Answers with a representation, or with 304 when the client has it. One that lasts answers the next request
 * from memory, but not at an address with a query: anybody can make up any number of those.
 */
export function answerWith(
  { responseCache }: Pick<Http, "responseCache">,
  request: Request,
  { etag, headers, body }: Representation,
  lasting: Lasting,
): Response {
  if (!request.url.includes("?")) {
    const { position, holds = () => true, ...kept } = lasting;
    const copy = new Headers(headers);
    const answer = {
      ...kept,
      etag,
      headers: copy,
      body: () => body,
      holds,
      varies: true,
    } as const;
    responseCache.remember(request, position, answer);
  }
  if (etagMatches(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

/** Every form of a text that the server writes, each made at its first use. */
export function formsOfText(
  text: string,
  given: Readonly<Record<string, string>>,
): (request: Request) => Representation {
  const plain = new TextEncoder().encode(text);
  const tag = tagOf(plain);
  const made = new Map<StoredCoding | null, Representation>();
  const make = (coding: StoredCoding | null): Representation => {
    const etag = coding === null ? `"${tag}"` : `"${tag}-${coding}"`;
    const headers = new Headers({ ...given, etag });
    if (coding !== null) headers.set("content-encoding", coding);
    return { etag, headers, body: new Blob([coding === null ? plain : pack[coding](plain)]) };
  };
  return (request) => {
    const { coding } = variantOf(request);
    const known = made.get(coding) ?? make(coding);
    made.set(coding, known);
    return known;
  };
}

/** A page has some kilobytes: fractions of a millisecond. */
const pack: Readonly<Record<StoredCoding, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 9 })),
  gzip: (bytes) => new Uint8Array(Bun.gzipSync(bytes, { library: "libdeflate", level: 9 })),
};

/** A tag that names bytes, without quotes. */
export function tagOf(bytes: Bytes): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
}
