/** Adds to an answer's headers what tells browsers to be careful with it. What an answer says itself stays. */
export type Harden = (headers: Headers) => void;

/**
 * For every answer, pictures and failures as well: it is what its type says, loads nothing, runs nothing, stands in no
 * frame and tells nobody where a link was followed. Pages bring a wider `Content-Security-Policy` of their own, and
 * `X-Frame-Options` for browsers that are older than it.
 */
const always: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** A year. Not for subdomains, which may be somebody else's. */
const onlyTls = { "strict-transport-security": "max-age=31536000" };

/** `publicUrl` is asked at the first answer: before the port is taken, it may not be known. */
export function createHarden(publicUrl: () => string): Harden {
  let added: readonly (readonly [string, string])[] | undefined;

  return (headers) => {
    added ??= Object.entries({ ...always, ...(publicUrl().startsWith("https:") ? onlyTls : {}) });
    for (const [name, value] of added) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
