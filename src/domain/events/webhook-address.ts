/** The hash under which the progress of an address is kept: addresses may hold secrets. */
export function webhookHash(url: string): string {
  return new Bun.CryptoHasher("sha256").update(url).digest("hex");
}

/**
 * What people see of an address: its host. Credentials, query and path may be secret; a chat's receivers have
 * their token in the path. An address that has any of them is followed by the beginning of its hash, so that
 * no two look alike.
 */
export function webhookName(url: string): string {
  const root = `${new URL(url).origin}/`;
  return url === root ? root : `${root} (${webhookHash(url).slice(0, 8)})`;
}
