import { nodeParts } from "./node-parts.ts";

/** Compresses off the event loop. */
export function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  nodeParts.zlib.gzip(bytes, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  return promise;
}
