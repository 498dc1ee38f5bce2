/**
 * The chain over the audit: every entry's hash covers its fields and the hash of the entry before, so that changing,
 * removing or inserting one breaks all that follow. A writer of the database can rebuild the complete chain; only the newest
 * hash, noted elsewhere, shows that.
 */

/** An entry as it is kept: what the chain is made over. */
export type ChainedEntry = {
  readonly id: number;
  readonly issuer: string;
  /** The acting account's number; null for services, the command line and the program itself. */
  readonly actorAccountId: number | null;
  /** `session:<id>` or `token:<id>`; null for the command line and the program itself. */
  readonly actorVia: string | null;
  /** What the hash is made over. An entry of version 1 names its issuer alone, so both fields of the actor are null. */
  readonly version: number;
  readonly action: string;
  /** An account's number, or 0. */
  readonly forAccountId: number;
  /** Unix seconds. */
  readonly at: number;
  /** The very text of the JSON that is kept. */
  readonly detail: string;
  /** The hash of the entry before; empty for the first. */
  readonly previousHash: string;
  readonly hash: string;
};

/** The version of entries that are written now. */
export const chainVersion = 2;

/** The hex SHA-256 that an entry must have: over the JSON list of its fields, the one before's hash first. */
export function hashOfEntry(entry: Omit<ChainedEntry, "hash">): string {
  const { previousHash, id, issuer, action, forAccountId, at, detail } = entry;
  const { version, actorAccountId, actorVia } = entry;
  const first = [previousHash, id, issuer, action, forAccountId, at, detail];
  const text = JSON.stringify(version === 1 ? first : [...first, version, actorAccountId, actorVia]);
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
