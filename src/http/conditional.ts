/** True when the client has the entity already: `If-None-Match`, compared weakly (RFC 9110 13.1.2). `tag` is unquoted. */
export function tagMatches(request: Request, tag: string): boolean {
  const condition = request.headers.get("if-none-match");
  if (condition === null) return false;
  const quoted = `"${tag}"`;
  if (condition === quoted || condition === "*") return true;
  return condition.split(",").some((one) => one.trim().replace(/^W\//, "") === quoted);
}
