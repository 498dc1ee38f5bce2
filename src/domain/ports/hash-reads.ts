import type { AccountId } from "../../kernel/ids.ts";

/** An account's hash. */
export type HeldHash = { readonly id: AccountId; readonly passwordHash: string };

/** A page of accounts by id, after one of them; null: from the beginning. */
export type HashPage = { readonly after: AccountId | null; readonly rows: number };

/** How many hashes of a page begin alike. */
export type HashCount = {
  /**
   * The beginning, up to the second dollar (the third after `$wrapped`): what `PasswordHasher.nameOf` needs.
   */
  readonly head: string;
  readonly hashes: number;
  /** The highest account among them. */
  readonly last: AccountId;
};

/**
 * What is read of hashes, most of all of those that were made by other systems, or at another cost than
 * today's. An index has these accounts alone, so a database without such hashes is asked for nothing.
 */
export interface HashReads {
  /** The hashes of these accounts, in their order; null for one without a password. */
  listHashes(ids: readonly AccountId[]): Promise<readonly (string | null)[]>;
  listOtherHashes(page: HashPage): Promise<readonly HeldHash[]>;
  /** The page's hashes by their beginnings. Empty after the last page. */
  countOtherHashes(page: HashPage): Promise<readonly HashCount[]>;
  /** Those of accounts that lie evenly among those that have such hashes: at most `most`. */
  sampleOtherHashes(most: number): Promise<readonly string[]>;
}
