/** The hash under which the progress of an address is kept: addresses may hold secrets. */
export function webhookHash(url: string): string {
  return new Bun.CryptoHasher("sha256").update(url).digest("hex");
}

/**
 * What people see of an address: no credentials and no query, which may be secret. An address that has them is followed by the
 * beginning of its hash, so that no two look alike.
 */
export function webhookName(url: string): string {
  const { origin, pathname, username, password, search } = new URL(url);
  const hidden = username + password + search === "" ? "" : ` (${webhookHash(url).slice(0, 8)})`;
  return `${origin}${pathname}${hidden}`;
}
