/** What `Authorization` holds (RFC 6750, 2.1). */

/** The token of `Authorization: Bearer <token>`; empty where there is none. */
export function bearerToken({ headers }: Request): string {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/**
 * The token of `Authorization: <token>` or `Authorization: Bearer <token>`, as services send it; empty where
 * there is none.
 */
export function serviceToken({ headers }: Request): string {
  return (headers.get("authorization") ?? "").replace(/^Bearer +/i, "");
}
