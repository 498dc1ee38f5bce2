/**
 * Slow hashes for passwords, off the main thread. `hash` and `verify` take the share of the client for whom
 * the work is done (`src/kernel/on-behalf.ts`). They fail with limited when too much work waits, with
 * unavailable when the system cannot compute the hash, and with an AbortError when the client is gone before
 * its turn.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. False also for a hash of no readable kind, and for no password at all.
   * `typed`: the password before normalisation, which is tried as well with hashes of other systems.
   */
  verify(password: string, hash: string, typed?: string): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
  /**
   * The algorithm and its parameters, which decide how long `verify` takes; null when the hash is not
   * readable.
   */
  kindOf(hash: string): string | null;
  /**
   * The name of a hash's kind, as people read it: `bcrypt`; `none` for null, `unknown` for a kind that is not
   * known. The beginning of the hash is enough, up to the second dollar (the third after `$wrapped`).
   */
  nameOf(hash: string | null): string;
  /**
   * A hash that no password fits. `verify` takes as long for it as for others of this kind; null: today's
   * kind.
   */
  dummy(kind: string | null): string;
  /**
   * A slow hash of a fast hash, which the same password fits; null when the hash is slow already, or not
   * readable.
   */
  wrap(hash: string): Promise<string | null>;
  /**
   * Whether the password that fitted a hash still is the account's: the hash is the same, or it was wrapped
   * meanwhile.
   */
  isSame(now: string | null, compared: string): boolean;
  /** Whether a hash would have to wait for its turn now. */
  isBusy(): boolean;
}
