/**
 * Slow hashes for passwords, off the main thread. `hash` and `verify` take the share of the client for whom
 * the work is done (`src/kernel/on-behalf.ts`). They fail with limited when too much work waits, with
 * unavailable when the system cannot compute the hash, and with an AbortError when the client is gone before
 * its turn.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Whether the password fits. False also for a hash of no readable kind. */
  verify(password: string, hash: string): Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
  /**
   * The algorithm and its parameters, which decide how long `verify` takes; null when the hash is not
   * readable.
   */
  kindOf(hash: string): string | null;
  /**
   * A hash that no password fits. `verify` takes as long for it as for others of this kind; null: today's
   * kind.
   */
  dummy(kind: string | null): string;
}
