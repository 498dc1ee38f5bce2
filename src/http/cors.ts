import type { Surface } from "./surface.ts";
import { pathOf } from "./target.ts";

/** Which pages of other origins may use the API in a browser (Fetch standard, CORS protocol). */
export type Cors = {
  /** The answer to a preflight; undefined for other requests, and when the answer is no. */
  readonly preflight: (request: Request) => Response | undefined;
  /** Whether the page that a request names in `Origin` may use its address. */
  readonly isGranted: (request: Request) => boolean;
  /** Opens an answer to the page that asked, where that is allowed. */
  readonly open: (request: Request, headers: Headers) => void;
};

/** Headers that a page's scripts may read. */
const exposedHeaders = [
  "ETag",
  "Link",
  "Location",
  "Retry-After",
  "X-Error",
  "X-Mailing",
  "X-Mails-Queued",
  "X-Request-Id",
  "X-Texture-Default",
  "X-Total-Count",
].join(", ");

/** Any web page may show a player (docs/contract/delivery.md), and read why it cannot. */
const openPaths = /^\/(?:api\/skin|textures)\//;

/** Browsers ask again after this time, and then see a changed setting. */
const preflightSeconds = 600;

/**
 * `origins` are those of the setting, or `*`. Credentials are never allowed: the page's own script sets the
 * token's header, so cookies play no part, and `*` is safe.
 */
export function createCors(
  origins: readonly string[],
  methodsOf: (path: string) => readonly string[],
  surfaceOf: (path: string) => Pick<Surface, "isOpen" | "isClosed">,
): Cors {
  const isForAll = origins.includes("*");
  const depends = !isForAll && origins.length > 0;

  const allowedOrigin = (request: Request): string | null => {
    const origin = request.headers.get("origin");
    if (origin === null) return null;
    const path = pathOf(request.url);
    const { isOpen = false, isClosed = false } = surfaceOf(path);
    if (isClosed) return null;
    if (isForAll || openPaths.test(path) || isOpen) return "*";
    return origins.includes(origin) ? origin : null;
  };
  const open: Cors["open"] = (request, headers) => {
    if (headers.has("access-control-allow-origin") || isPage(headers)) return;
    // What no other page may read is the same for every origin, also when it comes from memory.
    if (depends && surfaceOf(pathOf(request.url)).isClosed !== true) headers.append("vary", "Origin");
    const allowed = allowedOrigin(request);
    if (allowed === null) return;
    headers.set("access-control-allow-origin", allowed);
    headers.set("access-control-expose-headers", exposedHeaders);
  };

  return {
    isGranted: (request) => allowedOrigin(request) !== null,
    open,
    preflight: (request) => {
      if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method"))
        return undefined;
      const allowed = allowedOrigin(request);
      const methods = methodsOf(pathOf(request.url));
      if (allowed === null || methods.length === 0) return undefined;
      const headers = new Headers({
        "access-control-allow-origin": allowed,
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": "Authorization, Content-Type",
        "access-control-max-age": String(preflightSeconds),
        "cache-control": "no-store",
      });
      if (depends) headers.set("vary", "Origin");
      return new Response(null, { status: 204, headers });
    },
  };
}

/** Pages are for people: no script of another page reads them, whatever CORS_ORIGINS says. */
function isPage(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("text/html") === true;
}
