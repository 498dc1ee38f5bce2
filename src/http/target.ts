/**
 * What a request asks for, read from its address as text. `URL` throws at hosts that anybody can send, and Bun hands them on as
 * they came. It leaves the host out of the address where none was sent, and where what was sent holds what no host does.
 */

/** The path of a request's address, without its query. */
export function pathOf(address: string): string {
  const rest = address.slice(pathStart(address));
  const end = rest.search(/[?#]/);
  return end === -1 ? rest : rest.slice(0, end);
}

/** Whether a request names one host, or none and may (HTTP/1.0). A server refuses all others (RFC 9112 3.2). */
export function isAddressed({ url, headers }: Request): boolean {
  const host = headers.get("host");
  if (url.startsWith("/")) return host === null;
  // Bun joins two of these headers by a comma. The address of a tunnel is a host alone.
  return /^https?:/.test(url) && host?.includes(",") !== true && URL.canParse(url);
}

/** Elysia looks for the path from the 12th character on, and misses it behind a host as short as in "http://mc/", or none. */
export function withFindablePath(request: Request): Request {
  const start = pathStart(request.url);
  if (start >= 11) return request;
  // The body is handed over: a copy of the whole request would share it, and then the rest of it could not be turned down.
  const { method, headers, body } = request;
  return new Request(`http://localhost${request.url.slice(start)}`, { method, headers, body });
}

function pathStart(address: string): number {
  if (address.startsWith("/")) return 0;
  const start = address.indexOf("/", address.indexOf("//") + 2);
  return start === -1 ? address.length : start;
}
