/** True when the client has the entity already: `If-None-Match`, compared weakly (RFC 9110 13.1.2). `etag` is in quotes. */
export function etagMatches(request: Request, etag: string): boolean {
  const condition = request.headers.get("if-none-match");
  if (condition === null) return false;
  if (condition === etag || condition === "*") return true;
  return condition.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
