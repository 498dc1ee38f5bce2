/**
 * The target of a request, read from its address as text: `URL` throws at bad hosts, which any client can
 * send and Bun hands on as they came. Bun leaves the host out of the address where no host was sent, and
 * where it holds characters that no host has.
 */

/** The path of a request's address, without its query. */
export function pathOf(address: string): string {
  const rest = address.slice(pathStart(address));
  const end = rest.search(/[?#]/);
  return end === -1 ? rest : rest.slice(0, end);
}

/**
 * The path and the query of a request that is addressed well; null for any other. Whatever host it names, the
 * answer is the same.
 */
export function targetOf({ url, headers }: Request): string | null {
  if (url.startsWith(lastOrigin) && !namesTwoHosts(headers)) return url.slice(lastOrigin.length - 1);
  if (!isAddressed({ url, headers })) return null;
  const start = pathStart(url);
  if (url[start] === "/" && start <= originLengthMax) lastOrigin = url.slice(0, start + 1);
  return url.slice(start);
}

/**
 * What an address that was good began with, up to the first slash of its path. Nearly all requests name the
 * same host, and only a host can make an address bad: reading it again would be a twentieth of a page's
 * answer.
 */
let lastOrigin = "http://localhost/";
const originLengthMax = 256;

/**
 * Whether a request names one host, or omits it as HTTP/1.0 may. A server refuses all others (RFC 9112 3.2).
 */
export function isAddressed({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  if (url.startsWith("/")) return !headers.has("host");
  // The address of a tunnel is a host alone.
  return /^https?:/.test(url) && !namesTwoHosts(headers) && URL.canParse(url);
}

/** Bun joins two of these headers by a comma. */
function namesTwoHosts(headers: Headers): boolean {
  return headers.get("host")?.includes(",") === true;
}

/**
 * Elysia looks for the path from the 12th character on, and misses it behind a short host, as in
 * "http://mc/", or without one.
 */
export function withFindablePath(request: Request): Request {
  const start = pathStart(request.url);
  if (start >= 11) return request;
  // The body is handed over: a copy of the whole request would share it, and then the rest of it could not be
  // turned down.
  const { method, headers, body } = request;
  return new Request(`http://localhost${request.url.slice(start)}`, { method, headers, body });
}

function pathStart(address: string): number {
  if (address.startsWith("/")) return 0;
  const start = address.indexOf("/", address.indexOf("//") + 2);
  return start === -1 ? address.length : start;
}
