/**
 * The chain over the audit: every entry's hash covers its fields and the hash of the entry before, so that
 * changing, removing or inserting one breaks all that follow. A writer of the database can rebuild the
 * complete chain; only the newest hash, noted elsewhere, shows that.
 */

/** An entry as it is kept: what the chain is made over. */
export type ChainedEntry = {
  readonly id: number;
  readonly actorName: string;
  /** The acting account's number; null for services, the command line and the program itself. */
  readonly actorAccountId: number | null;
  /** `session:<id>` or `token:<id>`; null for the command line and the program itself. */
  readonly actorVia: string | null;
  /** The hashed fields. An entry of version 1 names only its actor's name, so account and via are null. */
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
  const { previousHash, id, actorName, action, forAccountId, at, detail } = entry;
  const { version, actorAccountId, actorVia } = entry;
  const first = [previousHash, id, actorName, action, forAccountId, at, detail];
  const text = JSON.stringify(version === 1 ? first : [...first, version, actorAccountId, actorVia]);
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** An entry, as far as the next one follows it. */
export type ChainLink = Pick<ChainedEntry, "id" | "hash" | "version">;

/** What the first entry follows. */
export const beforeFirstEntry: ChainLink = { id: 0, hash: "", version: 1 };

/** What is wrong with an entry that follows another one; null when it does follow it, unchanged. */
export function chainProblem(entry: ChainedEntry, before: ChainLink): string | null {
  if (entry.id !== before.id + 1) return `${missingEntries(before.id + 1, entry.id - 1)} before it`;
  if (!isOfVersion(entry) || hashOfEntry(entry) !== entry.hash)
    return "its content does not fit its hash, so it was changed";
  // Otherwise an entry could be rewritten in the version that does not name the actor.
  if (entry.version < before.version)
    return `it is of version ${entry.version} and follows one of version ${before.version}, so it was changed`;
  if (entry.previousHash === before.hash) return null;
  return before.id === 0
    ? "it does not begin the chain, so the entry before it was removed"
    : `it does not follow entry ${before.id}, so that one was put in the place of another`;
}

/** Whether the version exists, and its hash covers all fields that the entry has. */
function isOfVersion({ version, actorAccountId, actorVia }: ChainedEntry): boolean {
  return version === chainVersion || (version === 1 && actorAccountId === null && actorVia === null);
}

/** Says which entries are not there. */
export function missingEntries(first: number, last: number): string {
  return first === last ? `entry ${first} was removed` : `entries ${first} to ${last} were removed`;
}
