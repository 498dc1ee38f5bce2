import { caching } from "../answers.ts";
import { variantOf, type StoredCoding } from "../negotiation.ts";
import type { Http } from "../http.ts";
import { codingEndings, type ConsoleFiles } from "./files.ts";
import { answerWith, type Representation } from "./representation.ts";

export const assetsPath = "/console/assets";

/** Answers requests for files that pages load. Each is read once. */
export type ServeAsset = (request: Request, name: string) => Promise<Response>;

export function assetServer(
  http: Pick<Http, "responseCache" | "changes">,
  openFiles: () => Promise<ConsoleFiles>,
): ServeAsset {
  const read = new Map<string, Promise<Representation>>();

  return async (request, name) => {
    const { manifest, ...files } = await openFiles();
    // The names of the manifest and no others: no path is made from a request.
    const asset = Object.hasOwn(manifest.assets, name) ? manifest.assets[name] : undefined;
    if (asset === undefined) return missing();
    const wanted = variantOf(request).coding;
    const coding = asset.codings.find((one) => one === wanted) ?? null;
    const file = name + (coding === null ? "" : codingEndings[coding]);
    let known = read.get(file);
    if (known === undefined) {
      known = files.read(file).then((bytes) => represent(file, bytes, { type: asset.type, coding }));
      read.set(file, known);
      // The next request tries again.
      known.catch(() => read.delete(file));
    }
    return answerWith(http, request, await known, {
      position: http.changes.position(),
      subjects: [],
    });
  };
}

function represent(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  { type, coding }: { readonly type: string; readonly coding: StoredCoding | null },
): Representation {
  // The name says which bytes they are.
  const etag = `"${file}"`;
  const headers = new Headers({
    "content-type": type,
    "cache-control": caching.fixed,
    "cross-origin-resource-policy": "same-origin",
    vary: "accept-encoding",
    etag,
  });
  if (coding !== null) headers.set("content-encoding", coding);
  return { etag, headers, body: new Blob([bytes]) };
}

/** Text, never a page: after an update an old tab would run the page as a script. */
function missing(): Response {
  return new Response("There is no such file. The server may have a new version: load the page again.\n", {
    status: 404,
    headers: { "content-type": "text/plain;charset=utf-8", "cache-control": "no-store" },
  });
}
