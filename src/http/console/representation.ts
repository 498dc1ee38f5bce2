import { etagMatches, takesCoding } from "../negotiation.ts";
import type { Coding } from "./files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** One form of a resource, ready to be sent: the bytes in a coding with all headers. */
export type Representation = {
  /** In quotes, as headers have it. */
  readonly etag: string;
  readonly headers: Headers;
  readonly body: Blob;
};

/** Answers with a representation, or with 304 when the client has it. */
export function answerWith(request: Request, { etag, headers, body }: Representation): Response {
  if (etagMatches(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

const preferred = ["zstd", "gzip"] as const satisfies readonly Coding[];

/** The coding that a client gets: the best one that it takes; null for none. */
export function codingFor(request: Request): Coding | null {
  return preferred.find((coding) => takesCoding(request, coding)) ?? null;
}

/** A tag for bytes, without quotes. */
function tagOf(bytes: Bytes | string): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
}

/** Every form of a text that the server writes, each made at its first use. */
export function textRepresentations(
  text: string,
  given: Readonly<Record<string, string>>,
): (coding: Coding | null) => Representation {
  const plain = new TextEncoder().encode(text);
  const tag = tagOf(plain);
  const made = new Map<Coding | null, Representation>();
  const make = (coding: Coding | null): Representation => {
    const etag = coding === null ? `"${tag}"` : `"${tag}-${coding}"`;
    const headers = new Headers({ ...given, etag });
    if (coding !== null) headers.set("content-encoding", coding);
    return { etag, headers, body: new Blob([coding === null ? plain : pack[coding](plain)]) };
  };
  return (coding) => {
    const known = made.get(coding) ?? make(coding);
    made.set(coding, known);
    return known;
  };
}

/** A page has some kilobytes: fractions of a millisecond. */
const pack: Readonly<Record<Coding, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => new Uint8Array(Bun.zstdCompressSync(bytes, { level: 9 })),
  gzip: (bytes) => new Uint8Array(Bun.gzipSync(bytes, { library: "libdeflate", level: 9 })),
};
