/** Adds security headers to an answer. Headers that the answer has already stay. */
export type AddSecurityHeaders = (headers: Headers) => void;

/**
 * For every answer, pictures and failures as well: browsers guess no other type, load nothing, run nothing,
 * show it in no frame and send no referrer. Nothing keeps an answer that does not say for how long: it may be
 * for one person. Pages bring a wider `Content-Security-Policy` of their own, and `X-Frame-Options` for older
 * browsers.
 */
const always: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** A year. Without subdomains, which may belong to other services. */
const onlyTls = { "strict-transport-security": "max-age=31536000" };

/** `publicUrl` is called at the first answer: it may be unknown before the port is taken. */
export function createSecurityHeaders(publicUrl: () => string): AddSecurityHeaders {
  let added: readonly (readonly [string, string])[] | undefined;

  return (headers) => {
    added ??= Object.entries({ ...always, ...(publicUrl().startsWith("https:") ? onlyTls : {}) });
    for (const [name, value] of added) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
